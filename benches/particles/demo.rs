//! The particles of the original demo in plain Rust: exact noise and a sine for each particle, in double precision.
//!
//! The numbers are those of the preset `original`. Nothing is interpolated, shared between particles, or done for
//! several of them at once.

use std::f64::consts::TAU;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Noise cells per px, of the flow and of the colors.
const NOISE_SCALE: f64 = 0.0018;
const COLOR_SCALE: f64 = 0.004;

/// Noise cells per step.
const TIME_SCALE: f64 = 0.0009;

/// Px per step.
const SPEED: f64 = 1.4;

/// Steps.
const SHORTEST_LIFE: f64 = 90.0;
const LONGEST_LIFE: f64 = 210.0;

/// The demo's world and what it draws.
pub struct Demo {
    noise: Noise,
    random: Pcg64Mcg,
    size: [f64; 2],
    time: f64,
    particles: Vec<Particle>,
    /// Where each particle was, where it is, and the value of its color.
    pub segments: Vec<[f32; 5]>,
}

struct Particle {
    x: f64,
    y: f64,
    age: f64,
    lifetime: f64,
}

impl Demo {
    /// `count` particles of any age in a window of this size in px.
    pub fn new(count: usize, size: [f64; 2]) -> Demo {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let noise = Noise::new(&mut random);
        let particles = (0..count)
            .map(|_| {
                let mut particle = Particle::born(&mut random, size);
                particle.age = random.random_range(0.0..particle.lifetime);
                particle
            })
            .collect();
        Demo {
            noise,
            random,
            size,
            time: 0.0,
            particles,
            segments: vec![[0.0; 5]; count],
        }
    }

    /// Moves every particle once.
    pub fn step(&mut self) {
        self.time += TIME_SCALE;
        let [width, height] = self.size;
        for (particle, segment) in self.particles.iter_mut().zip(&mut self.segments) {
            let (x, y) = (particle.x, particle.y);
            let value = self.noise.at(x * NOISE_SCALE, y * NOISE_SCALE, self.time);
            let angle = value * TAU;
            particle.x += angle.cos() * SPEED;
            particle.y += angle.sin() * SPEED;
            let color = self.noise.at(x * COLOR_SCALE, y * COLOR_SCALE, 0.0);
            *segment = [x, y, particle.x, particle.y, color].map(|number| number as f32);
            particle.x = wrapped(particle.x, width);
            particle.y = wrapped(particle.y, height);
            particle.age += 1.0;
            if particle.age > particle.lifetime {
                *particle = Particle::born(&mut self.random, self.size);
            }
        }
    }
}

impl Particle {
    fn born(random: &mut Pcg64Mcg, [width, height]: [f64; 2]) -> Particle {
        Particle {
            x: random.random_range(0.0..width),
            y: random.random_range(0.0..height),
            age: 0.0,
            lifetime: random.random_range(SHORTEST_LIFE..LONGEST_LIFE),
        }
    }
}

/// A place that has left by less than `size`, come in again at the other side.
fn wrapped(place: f64, size: f64) -> f64 {
    if place < 0.0 {
        place + size
    } else if place >= size {
        place - size
    } else {
        place
    }
}

/// Improved Perlin noise as its author published it (Ken Perlin, "Improving Noise", SIGGRAPH 2002), with a shuffled
/// permutation and values in [0, 1].
struct Noise {
    permutation: [u8; 512],
}

impl Noise {
    fn new(random: &mut Pcg64Mcg) -> Noise {
        let mut shuffled: [u8; 256] = std::array::from_fn(|index| index as u8);
        for last in (1..256).rev() {
            shuffled.swap(last, random.random_range(0..=last));
        }
        Noise {
            permutation: std::array::from_fn(|index| shuffled[index & 255]),
        }
    }

    fn at(&self, x: f64, y: f64, z: f64) -> f64 {
        let [(column, x), (row, y), (layer, z)] = [x, y, z].map(cell);
        let (u, v, w) = (quintic(x), quintic(y), quintic(z));
        let hash = |index: usize| usize::from(self.permutation[index]);
        let (left, right) = (hash(column) + row, hash(column + 1) + row);
        let (top_left, bottom_left) = (hash(left) + layer, hash(left + 1) + layer);
        let (top_right, bottom_right) = (hash(right) + layer, hash(right + 1) + layer);
        let side = |layer: usize, z: f64| {
            let corner = |node: usize, x: f64, y: f64| gradient(hash(node + layer), x, y, z);
            let top = mix(u, corner(top_left, x, y), corner(top_right, x - 1.0, y));
            let bottom = mix(
                u,
                corner(bottom_left, x, y - 1.0),
                corner(bottom_right, x - 1.0, y - 1.0),
            );
            mix(v, top, bottom)
        };
        (mix(w, side(0, z), side(1, z - 1.0)) + 1.0) * 0.5
    }
}

/// The cell of a coordinate, modulo 256, and the way into it.
fn cell(x: f64) -> (usize, f64) {
    let whole = x.floor();
    ((whole as i32 & 255) as usize, x - whole)
}

fn quintic(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

fn mix(t: f64, a: f64, b: f64) -> f64 {
    a + t * (b - a)
}

/// The gradient of a hash times the way from its node.
fn gradient(hash: usize, x: f64, y: f64, z: f64) -> f64 {
    let hash = hash & 15;
    let u = if hash < 8 { x } else { y };
    let v = if hash < 4 {
        y
    } else if hash == 12 || hash == 14 {
        x
    } else {
        z
    };
    let u = if hash & 1 == 0 { u } else { -u };
    let v = if hash & 2 == 0 { v } else { -v };
    u + v
}
