//! Eddyline draws flowing water: a noise field that changes with time carries particles, and they leave fading trails.
//!
//! The modules in reading order; see docs/architecture.md for why.

pub mod settings;
pub mod take;
pub mod timeline;

pub mod field;
pub mod noise;
pub mod palette;
pub mod particles;
pub mod simulation;

pub mod canvas;
pub mod chart;
pub mod dither;
pub mod picture;

pub mod command;
pub mod host;
pub mod input;
pub mod overlay;
pub mod power;
pub mod record;

pub mod hash;
pub mod polynomial;
pub mod pool;
pub mod sheet;
pub mod simd;
