//! The behaviour of the program and of the library as one.

mod canvases;
mod changes;
mod determinism;
mod gpu;
mod original;
mod seamless;
mod support;
mod trails;
mod water;
