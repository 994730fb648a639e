#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// Copies light into another target: faded, stretched, and with the smallest values removed. GLSL ES 1 gives gl_FragColor
// medium precision: some drivers round 32-bit light to 16-bit floats here, though not where they blend.

uniform sampler2D light;
uniform vec2 light_size;   // px of the source
uniform float stretch;     // px of the source per px of the target
uniform float keep;
uniform float least_light; // what is darker becomes 0

vec4 texel(vec2 index) {
    return texture2D(light, (clamp(index, vec2(0.0), light_size - 1.0) + 0.5) / light_size);
}

void main() {
    vec2 place = gl_FragCoord.xy * stretch;
    if (place.x >= light_size.x || place.y >= light_size.y) {
        gl_FragColor = vec4(0.0); // area that the source does not have is empty
        return;
    }
    // Linear filtering by hand: GLES filters no 32-bit float texture. With `stretch` 1 the weights are 0 and 1: exact.
    vec2 corner = floor(place - 0.5);
    vec2 weight = place - 0.5 - corner;
    vec4 top = mix(texel(corner), texel(corner + vec2(1.0, 0.0)), weight.x);
    vec4 bottom = mix(texel(corner + vec2(0.0, 1.0)), texel(corner + vec2(1.0, 1.0)), weight.x);
    vec4 kept = keep * mix(top, bottom, weight.y);
    gl_FragColor = kept * step(least_light, kept);
}
