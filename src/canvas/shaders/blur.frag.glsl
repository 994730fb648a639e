#version 100
precision highp float;
precision highp sampler2D; // by default lowp, which some drivers read as 16-bit floats
// A Gaussian along rows or columns; weights that lie inside count for all. A coarser target takes the means of squares of px.

uniform sampler2D light;
uniform sampler2D motion;     // the strokes of the step that is under way
uniform vec2 size;            // of both, px
uniform vec2 step_to;         // to the next px that counts
uniform float decay;
uniform float motion_weight;
uniform float deviation;      // px of the target
uniform float reach;          // px of the target, at most 64
uniform float coarser;        // px of the source per px of the target: 1 or 4

vec4 texel(vec2 index) {
    vec2 place = (index + 0.5) / size;
    vec4 total = decay * texture2D(light, place);
    if (motion_weight > 0.0) {
        total += motion_weight * texture2D(motion, place);
    }
    return total;
}

// The mean of a square of px, as far as it lies inside.
vec4 square(vec2 index) {
    if (coarser < 2.0) {
        return texel(index);
    }
    vec4 sum = vec4(0.0);
    float count = 0.0;
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            vec2 px = index * 4.0 + vec2(float(column), float(row));
            if (px.x < size.x && px.y < size.y) {
                sum += texel(px);
                count += 1.0;
            }
        }
    }
    return sum / count;
}

void main() {
    vec2 here = floor(gl_FragCoord.xy);
    vec2 end = ceil(size / coarser);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int index = -64; index <= 64; index++) {
        float distance = float(index);
        if (abs(distance) <= reach) {
            vec2 place = here + distance * step_to;
            if (place.x >= 0.0 && place.y >= 0.0 && place.x < end.x && place.y < end.y) {
                float weight = exp(-0.5 * distance * distance / (deviation * deviation));
                sum += weight * square(place);
                weights += weight;
            }
        }
    }
    gl_FragColor = sum / weights;
}
