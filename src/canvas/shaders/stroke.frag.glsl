#version 100
precision highp float;
// One segment's light in one pixel, by the formula of the `Canvas` trait.

uniform float share; // of the light that reaches the target; the blend applies it to alpha
uniform float added; // 1 where light is added, 0 where it is painted

varying vec4 line;
varying float line_length;
varying float width;
varying float strength;
varying vec3 color;

void main() {
    // From the pixel's centre, not from an interpolated place: that would carry the rounding of the quad's corners.
    vec2 place = gl_FragCoord.xy - line.xy;
    float along = dot(place, line.zw);
    float across = abs(line.z * place.y - line.w * place.x);
    float coverage = clamp(0.5 * width + 0.5 - across, 0.0, min(1.0, width))
        * (clamp(line_length - along + 0.5, 0.0, 1.0) - clamp(0.5 - along, 0.0, 1.0));
    float light = added > 0.5 ? strength * coverage : 1.0 - exp2(strength * coverage);
    // Without alpha the blend takes nothing away from what is there.
    gl_FragColor = vec4(color * (light * share), light * (1.0 - added));
}
