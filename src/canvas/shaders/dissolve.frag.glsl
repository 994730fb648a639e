#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// Two frames mixed in linear light, then dither.

uniform sampler2D coming;
uniform sampler2D leaving;
uniform sampler2D thresholds;  // of the dither, in 256ths
uniform vec2 size;             // of the canvas, px
uniform vec2 origin;           // place on the canvas = origin + direction * gl_FragCoord
uniform vec2 direction;
uniform float tile;            // width and height of the dither tile, px
uniform float share;           // of the frame that leaves

vec3 decoded(vec3 srgb) {
    vec3 code = clamp(srgb, 0.0, 1.0);
    return mix(code / 12.92, pow((code + 0.055) / 1.055, vec3(2.4)), step(0.04045, code));
}

vec3 encoded(vec3 linear) {
    vec3 light = clamp(linear, 0.0, 1.0);
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

void main() {
    vec2 place = origin + direction * gl_FragCoord.xy;
    vec2 inside = clamp(place / size, 0.0, 1.0);
    vec3 light = mix(decoded(texture2D(coming, inside).rgb), decoded(texture2D(leaving, inside).rgb), share);
    // As in every frame: see tone.frag.glsl.
    float threshold = (floor(texture2D(thresholds, place / tile).r * 255.0 + 0.5) + 0.5) / 256.0;
    gl_FragColor = vec4(floor(255.0 * encoded(light) + threshold) / 255.0, 1.0);
}
