//! The program as its user meets it: in a real window, each test on an X server of its own.
//!
//! No test here depends on how busy the machine is. They wait for what the program says (`--test-log`: what was done, every
//! frame that is on the screen, every rest) and for what the X server knows, and never for a time. Deadlines are there for
//! programs that hang.

mod doctor;
mod drivers;
mod filming;
mod hosts;
mod keys;
mod screensaver;
mod slides;
mod window;
mod xvfb;
