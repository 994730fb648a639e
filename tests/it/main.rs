//! The behaviour of the program and of the library as one.

mod calm;
mod canvases;
mod changes;
mod charts;
mod commands;
mod determinism;
mod dissolve;
mod exported;
mod golden;
mod gpu;
mod layers;
mod looks;
mod loops;
mod original;
mod pace;
mod pages;
mod paths;
mod readme;
mod recording;
mod seamless;
mod support;
mod trails;
mod water;
#[cfg(target_os = "linux")]
mod windows;
