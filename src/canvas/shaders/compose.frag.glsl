#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// The frame of paint in codes over one color: faded light, the strokes of the step that is under way, the background under
// both, then dither. `tone.frag.glsl` makes all others.

uniform sampler2D light;
uniform sampler2D motion;      // the strokes of the step that is under way
uniform sampler2D thresholds;  // of the dither, in 256ths
uniform vec2 size;             // of the canvas, px
uniform vec2 origin;           // place on the canvas = origin + direction * gl_FragCoord
uniform vec2 direction;
uniform float decay;
uniform float motion_weight;   // 1, or 0 when there is no motion
uniform float tile;            // width and height of the dither tile, px
uniform vec3 background;       // codes

void main() {
    vec2 place = origin + direction * gl_FragCoord.xy;
    vec4 total = vec4(0.0);
    if (place.x < size.x && place.y < size.y) {
        vec4 strokes = motion_weight * texture2D(motion, place / size);
        total = decay * (1.0 - strokes.a) * texture2D(light, place / size) + strokes;
    }
    // Stored in 8 bits, a threshold of (k + 1/2) / 256 is read as k / 255: this restores it exactly.
    float threshold = (floor(texture2D(thresholds, place / tile).r * 255.0 + 0.5) + 0.5) / 256.0;
    vec3 codes = floor(255.0 * total.rgb + (1.0 - total.a) * background + threshold);
    // A whole code over 255 is the centre of what converts to that code: no rounding can move it.
    gl_FragColor = vec4(codes / 255.0, 1.0);
}
