//! Gradients: a few colors, evenly spaced, and what lies between them.

use super::oklab::{Lab, lab, light_of};
use crate::polynomial::{circle_at, turns_to};

/// Fewest stops of a gradient.
pub const FEWEST_STOPS: usize = 2;

/// Most stops of a gradient.
pub const MOST_STOPS: usize = 32;

/// A chroma in OKLab below which a stop has no hue: less than that of the palest color that is not grey.
const GREY: f64 = 1e-3;

/// A gradient through stops; any values are valid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient {
    /// The colors that it passes, the first for value 0.
    pub stops: Stops,
    /// What is a straight line between two of them.
    pub space: Space,
    /// Where the last leads.
    pub end: End,
}

/// From [`FEWEST_STOPS`] to [`MOST_STOPS`] colors in sRGB codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stops {
    count: u8,
    /// Black beyond the count.
    codes: [[u8; 3]; MOST_STOPS],
}

/// In what colors are blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Lightness and two axes of color: the straight way, which may pass a grey.
    Oklab,
    /// Lightness, chroma and hue: around the wheel by the shorter way, as colorful as the stops. A grey stop takes its neighbor's hue.
    Oklch,
}

/// What a gradient comes to at value 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The last stop.
    Open,
    /// The first stop, once more after the last.
    Periodic,
}

/// The way from one stop to the next.
pub(super) struct Leg {
    codes: [[u8; 3]; 2],
    labs: [Lab; 2],
    /// In OKLCH: the direction of the first stop's hue, the turns from it to the second's, and the chroma of both.
    arc: Option<Arc>,
}

struct Arc {
    from: [f64; 2],
    turns: f64,
    chromas: [f64; 2],
}

/// A color on a leg: a stop itself, or OKLab in between.
pub(super) enum Passed {
    Stop([u8; 3]),
    Between(Lab),
}

impl Stops {
    /// These colors; nothing where they are too few or too many.
    pub fn new(colors: &[[u8; 3]]) -> Option<Stops> {
        if !(FEWEST_STOPS..=MOST_STOPS).contains(&colors.len()) {
            return None;
        }
        let mut codes = [[0; 3]; MOST_STOPS];
        codes[..colors.len()].copy_from_slice(colors);
        Some(Stops {
            count: colors.len() as u8,
            codes,
        })
    }

    /// The stops of a table in the source, written `0xrrggbb`.
    pub(super) const fn of<const COUNT: usize>(colors: [u32; COUNT]) -> Stops {
        assert!(COUNT >= FEWEST_STOPS && COUNT <= MOST_STOPS);
        let mut codes = [[0; 3]; MOST_STOPS];
        let mut index = 0;
        while index < COUNT {
            let [_, red, green, blue] = colors[index].to_be_bytes();
            codes[index] = [red, green, blue];
            index += 1;
        }
        Stops {
            count: COUNT as u8,
            codes,
        }
    }

    /// The colors, in order.
    pub fn colors(&self) -> &[[u8; 3]] {
        &self.codes[..self.count as usize]
    }
}

impl Gradient {
    /// The ways between its stops, each equally long.
    pub(super) fn legs(&self) -> Vec<Leg> {
        let colors = self.stops.colors();
        let nexts = colors.iter().skip(1).chain(match self.end {
            End::Open => None,
            End::Periodic => colors.first(),
        });
        let legs = colors.iter().zip(nexts);
        legs.map(|(&from, &to)| Leg::new([from, to], self.space))
            .collect()
    }
}

impl Leg {
    fn new(codes: [[u8; 3]; 2], space: Space) -> Leg {
        let labs = codes.map(|codes| lab(light_of(codes)));
        Leg {
            codes,
            labs,
            arc: (space == Space::Oklch).then(|| Arc::new(labs)),
        }
    }

    /// What is passed after a share of the way, in [0, 1].
    pub(super) fn at(&self, share: f64) -> Passed {
        if share == 0.0 || share == 1.0 {
            return Passed::Stop(self.codes[share as usize]);
        }
        let blend = |from: f64, to: f64| from + (to - from) * share;
        let [[from, from_a, from_b], [to, to_a, to_b]] = self.labs;
        let lightness = blend(from, to);
        Passed::Between(match &self.arc {
            None => [lightness, blend(from_a, to_a), blend(from_b, to_b)],
            Some(arc) => {
                let chroma = blend(arc.chromas[0], arc.chromas[1]);
                let [cosine, sine] = circle_at(arc.turns * share);
                let [x, y] = arc.from;
                [
                    lightness,
                    chroma * (x * cosine - y * sine),
                    chroma * (x * sine + y * cosine),
                ]
            }
        })
    }
}

impl Arc {
    fn new(labs: [Lab; 2]) -> Arc {
        let chromas = labs.map(|[_, a, b]| (a * a + b * b).sqrt());
        let hue = |stop: usize| {
            let ([_, a, b], chroma) = (labs[stop], chromas[stop]);
            (chroma >= GREY).then(|| [a / chroma, b / chroma])
        };
        let (from, turns) = match (hue(0), hue(1)) {
            (Some([x, y]), Some([to_x, to_y])) => {
                let turns = turns_to([x * to_x + y * to_y, x * to_y - y * to_x]);
                ([x, y], turns)
            }
            (Some(hue), None) | (None, Some(hue)) => (hue, 0.0),
            (None, None) => ([1.0, 0.0], 0.0),
        };
        Arc {
            from,
            turns,
            chromas,
        }
    }
}
