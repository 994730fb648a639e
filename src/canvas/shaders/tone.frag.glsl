#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// The frame: faded light and the strokes of the step that is under way, laid over what is under both, then dither.

uniform sampler2D light;
uniform sampler2D motion;      // the strokes of the step that is under way
uniform sampler2D thresholds;  // of the dither, in 256ths
uniform sampler2D ground;      // the background at nodes
uniform sampler2D near_glow;
uniform sampler2D wide_glow;
uniform vec2 size;             // of the canvas, px
uniform vec2 origin;           // place on the canvas = origin + direction * gl_FragCoord
uniform vec2 direction;
uniform float decay;
uniform float motion_weight;   // 1, or 0 when there is no motion
uniform float tile;            // width and height of the dither tile, px
uniform vec3 background;       // where there is no ground; in the unit of what is under the light
uniform vec2 ground_size;      // nodes in each direction, or 0
uniform vec2 near_size;        // px of the copies
uniform vec2 wide_size;
uniform vec2 glow_shares;      // times the exposure
uniform vec3 pitches;          // px of the canvas between nodes, and between px of the copies
uniform float blend;           // 0: paint in codes, 1: paint in light, 2: light added to light
uniform float exposure;
uniform float rounds;          // 1, or 0 where codes between two whole ones are kept

vec3 encoded(vec3 linear) {
    vec3 light = clamp(linear, 0.0, 1.0);
    return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}

// Bilinear by hand: GLES filters no 32-bit float texture.
vec3 between(sampler2D image, vec2 count, vec2 at) {
    vec2 place = clamp(at, vec2(0.0), count - 1.0);
    vec2 corner = min(floor(place), count - 1.0);
    vec2 next = min(corner + 1.0, count - 1.0);
    vec2 way = place - corner;
    vec3 top = mix(texture2D(image, (corner + 0.5) / count).rgb,
        texture2D(image, (vec2(next.x, corner.y) + 0.5) / count).rgb, way.x);
    vec3 bottom = mix(texture2D(image, (vec2(corner.x, next.y) + 0.5) / count).rgb,
        texture2D(image, (next + 0.5) / count).rgb, way.x);
    return mix(top, bottom, way.y);
}

void main() {
    vec2 place = origin + direction * gl_FragCoord.xy;
    vec4 total = vec4(0.0);
    if (place.x < size.x && place.y < size.y) {
        vec4 strokes = motion_weight * texture2D(motion, place / size);
        total = decay * (1.0 - strokes.a) * texture2D(light, place / size) + strokes;
    }
    vec3 under = background;
    if (ground_size.x > 0.0) {
        under = between(ground, ground_size, place / pitches.x);
    }
    if (glow_shares.x > 0.0) {
        under += glow_shares.x * between(near_glow, near_size, place / pitches.y - 0.5);
    }
    if (glow_shares.y > 0.0) {
        under += glow_shares.y * between(wide_glow, wide_size, place / pitches.z - 0.5);
    }
    vec3 codes = 255.0 * total.rgb + (1.0 - total.a) * under;
    if (blend > 1.5) {
        codes = 255.0 * encoded(1.0 - exp(-(exposure * total.rgb + under)));
    } else if (blend > 0.5) {
        codes = 255.0 * encoded(total.rgb + (1.0 - total.a) * under);
    }
    // Stored in 8 bits, a threshold of (k + 1/2) / 256 is read as k / 255: this restores it exactly.
    float threshold = (floor(texture2D(thresholds, place / tile).r * 255.0 + 0.5) + 0.5) / 256.0;
    // A whole code over 255 is the centre of what converts to that code: no rounding can move it.
    gl_FragColor = vec4(mix(codes, floor(codes + threshold), rounds) / 255.0, 1.0);
}
