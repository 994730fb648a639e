//! The behaviour of the program and of the library as one.

mod calm;
mod canvases;
mod changes;
mod charts;
mod commands;
mod determinism;
mod dissolve;
mod exported;
#[cfg(target_os = "linux")]
mod filming;
mod golden;
mod gpu;
mod hosts;
mod keys;
mod layers;
mod looks;
mod loops;
mod original;
mod pace;
mod pages;
mod paths;
mod readme;
mod recording;
#[cfg(target_os = "linux")]
mod screensaver;
mod seamless;
#[cfg(target_os = "linux")]
mod slides;
mod support;
mod trails;
mod water;
#[cfg(target_os = "linux")]
mod window;
#[cfg(target_os = "linux")]
mod xvfb;
