//! What lies behind the threads: one color, or a map of several that slow light moves.

use crate::canvas::{Backdrop, Background};
use crate::noise::{Fractal, Recipe};
use crate::palette::{End, Gradient, Palette, Space, Stops};
use crate::settings::{self, Color, Settings};
use crate::timeline::Moment;

/// The channel of noise that slow light comes from.
const CHANNEL: u32 = 9;

/// How fast slow light moves, as a share of the water's time.
const RATE: [u32; 2] = [3, 10];

/// How much lower than wide the patches of slow light are.
const FLAT: f64 = 1.4;

/// Corners are so far from the middle, where vignettes begin to count.
const RIM: f32 = 1.15;

/// The background of a picture.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    flat: [u8; 3],
    /// What the map was made from, where there is one.
    made_from: Option<Makings>,
    map: Backdrop,
    /// Colors from top to bottom, or from the middle to the corners.
    colors: Palette,
    light: Fractal,
    /// By column: how far from the middle, in half widths, squared.
    across: Vec<f32>,
}

/// Everything that a map follows from, but for noise time where that matters.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Makings {
    kind: settings::Backdrop,
    colors: [Color; 3],
    light: f64,
    scale: f64,
    vignette: f64,
    seed: u32,
    window: [f64; 2],
    /// Where slow light is seen, the moment.
    step: Option<i64>,
}

impl Makings {
    /// Nothing where one color is all.
    fn new(moment: &Moment) -> Option<Makings> {
        let settings = &moment.settings;
        let kind = settings.backdrop();
        if kind == settings::Backdrop::Flat && settings.vignette() == 0.0 {
            return None;
        }
        let is_lit = kind != settings::Backdrop::Flat && settings.background_light() > 0.0;
        Some(Makings {
            kind,
            colors: [
                settings.background_top(),
                settings.background_middle(),
                settings.background(),
            ],
            light: settings.background_light(),
            scale: settings.background_scale(),
            vignette: settings.vignette(),
            seed: settings.seed(),
            window: moment.world.window,
            step: is_lit.then_some(moment.step),
        })
    }
}

impl Ground {
    pub(super) fn new(moment: &Moment) -> Ground {
        Ground {
            flat: moment.settings.background().0,
            made_from: None,
            map: Backdrop::default(),
            colors: gradient(&moment.settings),
            light: Fractal::new(
                moment.settings.seed(),
                CHANNEL,
                RECIPE,
                moment.time.scaled(RATE),
            ),
            across: Vec::new(),
        }
    }

    pub(super) fn background(&self) -> Background<'_> {
        match self.made_from {
            Some(_) => Background::Map(&self.map),
            None => Background::Flat(self.flat),
        }
    }

    pub(super) fn refresh(&mut self, moment: &Moment) {
        self.flat = moment.settings.background().0;
        let makings = Makings::new(moment);
        if makings == self.made_from {
            return;
        }
        let colors = |makings: &Makings| (makings.kind, makings.colors);
        if makings.as_ref().map(colors) != self.made_from.as_ref().map(colors) {
            self.colors = gradient(&moment.settings);
        }
        self.made_from = makings;
        if let Some(makings) = makings {
            if makings.step.is_some() {
                let time = moment.time.scaled(RATE);
                self.light.refresh(makings.seed, CHANNEL, RECIPE, time);
            }
            self.lay(&makings);
        }
    }

    /// Computes the map.
    fn lay(&mut self, makings: &Makings) {
        let [columns, rows] = Backdrop::nodes_for(makings.window);
        let [width, height] = makings.window.map(|side| side as f32);
        let pitch = Backdrop::PITCH;
        let from_middle = |node: usize, side: f32| {
            let place = (2.0 * node as f32 * pitch / side - 1.0).clamp(-1.0, 1.0);
            place * place
        };
        self.across.clear();
        self.across
            .extend((0..columns).map(|column| from_middle(column, width)));
        self.map.columns = columns;
        self.map.nodes.clear();
        let (light, vignette) = (makings.light as f32, makings.vignette as f32);
        let scale = (makings.scale * f64::from(pitch)) as f32;
        for row in 0..rows {
            let down = from_middle(row, height);
            let place = row as f32 * pitch / height;
            for (column, across) in self.across.iter().enumerate() {
                let square = 0.5 * (across + down);
                let mut t = match makings.kind {
                    settings::Backdrop::Radial => square.sqrt(),
                    _ => place,
                };
                if makings.step.is_some() {
                    let (x, y) = (column as f32 * scale, row as f32 * scale * FLAT as f32);
                    t += light * (2.0 * self.light.at(x, y) - 1.0);
                }
                let t = match makings.kind {
                    settings::Backdrop::Horizon => t.clamp(0.0, 1.0),
                    _ => smoothstep(t),
                };
                let index = (t * LAST + 0.5) as usize;
                let left = 1.0 - vignette * smoothstep(RIM * square);
                self.map
                    .nodes
                    .push(self.colors.linear()[index].map(|light| light * left));
            }
        }
    }
}

/// The last entry of a palette.
const LAST: f32 = (crate::palette::COLORS - 1) as f32;

/// Two octaves of Perlin noise.
const RECIPE: Recipe = Recipe {
    octaves: 2,
    ..Recipe::PERLIN
};

/// The colors of a backdrop from end to end.
fn gradient(settings: &Settings) -> Palette {
    let [top, middle, bottom] = [
        settings.background_top(),
        settings.background_middle(),
        settings.background(),
    ]
    .map(|color| color.0);
    let stops = match settings.backdrop() {
        settings::Backdrop::Flat => Stops::new(&[bottom, bottom]),
        settings::Backdrop::Horizon => Stops::new(&[top, middle, bottom]),
        settings::Backdrop::Vertical | settings::Backdrop::Radial => Stops::new(&[top, bottom]),
    };
    Palette::gradient(&Gradient {
        stops: stops.expect("two or three stops make a gradient"),
        space: Space::Oklab,
        end: End::Open,
    })
}

fn smoothstep(x: f32) -> f32 {
    let t = x.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
