#version 100
// Covers the whole viewport: the fragments know their place from gl_FragCoord, which is exact.

attribute vec2 corner; // (0, 0) to (1, 1)

void main() {
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
