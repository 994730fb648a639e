//! Eddyline draws flowing water: a noise field that changes with time carries particles, and they leave fading trails.
//!
//! The modules in reading order; see docs/architecture.md for why.

pub mod canvas;
pub mod dither;
pub mod field;
pub mod hash;
pub mod host;
pub mod noise;
pub mod palette;
pub mod particles;
pub mod picture;
pub mod polynomial;
pub mod pool;
pub mod settings;
pub mod simulation;
pub mod timeline;
