#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// Spans a quad over one segment. Row 0 of the target is the top of the canvas, so that y points down here too.

attribute vec2 corner; // (0, 0) to (1, 1)
attribute vec4 ends;   // from.xy, to.xy in logical px
attribute float ink;   // color + 256 light + 65536 width, each a code of 8 bits

uniform vec2 size;      // of the target, device px
uniform float scale;    // device px per logical px
uniform vec2 shift;     // what is at the target's top left, logical px
uniform vec2 widths;    // the least and the most, device px
uniform float alpha;    // at full light
uniform float most_alpha;
uniform float added;    // 1 where light is added, 0 where it is painted
uniform float fraction; // how much of the segment is stroked, from its beginning
uniform float colors;   // entries of the palette
uniform sampler2D palette;

varying vec4 line;        // where it begins, and its direction; device px
varying float line_length; // device px
varying float width;       // device px
varying float strength;    // log2(1 - opacity): what a fully covered pixel lets through; or the light that it gets
varying vec3 color;

void main() {
    float upper = floor(ink / 256.0);
    float width_code = floor(upper / 256.0);
    float root = (upper - 256.0 * width_code) / 255.0;
    width = widths.x + (widths.y - widths.x) * (width_code / 255.0);
    float opacity = alpha * root * root;
    strength = added > 0.5 ? opacity : log2(1.0 - min(opacity, most_alpha));

    vec2 from = (ends.xy - shift) * scale;
    vec2 to = (mix(ends.xy, ends.zw, fraction) - shift) * scale;
    vec2 span = to - from;
    line_length = length(span);
    vec2 direction = line_length > 0.0 ? span / line_length : vec2(1.0, 0.0);
    vec2 normal = vec2(-direction.y, direction.x);

    // Coverage reaches half a px beyond the segment; the rest makes up for corners rounded to 1/16 px.
    float reach = 0.5 + 0.125;
    vec2 place = from + direction * mix(-reach, line_length + reach, corner.x)
        + normal * mix(-1.0, 1.0, corner.y) * (0.5 * width + reach);
    gl_Position = vec4(place / size * 2.0 - 1.0, 0.0, 1.0);

    line = vec4(from, direction);
    float index = ink - 256.0 * upper;
    color = texture2D(palette, vec2((index + 0.5) / colors, 0.5)).rgb;
}
