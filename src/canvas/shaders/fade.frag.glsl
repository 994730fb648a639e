#version 100
precision highp float;
// One color everywhere: the blend makes a fade of it.

uniform vec4 color;

void main() {
    gl_FragColor = color;
}
