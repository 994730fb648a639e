#version 100
precision highp float;
// Multiplies the target by `keep`, through the blend (Zero, OneMinusSourceAlpha).

uniform float keep;

void main() {
    gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0 - keep);
}
