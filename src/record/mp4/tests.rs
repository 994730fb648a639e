//! What the parts do together, with real frames and, where it is installed, a decoder that is not ours.

mod disks;
mod faults;
mod joining;
mod playing;
pub mod samples;
