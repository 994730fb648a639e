//! The field that a moment's settings ask for.

use glam::Vec2;

use crate::field::{Disc, Eddies, FlowParameters, Mode, Placement, Steady, Torus};
use crate::noise::{NoiseKind, Recipe, Shape};
use crate::particles::{Nursery, Rule};
use crate::settings::{self, Births, Edges, Headings, Noise, NoiseShape, Settings};
use crate::timeline::Moment;

/// The field that a moment asks for.
pub fn flow_parameters(moment: &Moment) -> FlowParameters {
    let settings = &moment.settings;
    let band = match settings.edges() {
        Edges::Seamless => vector(moment.world.band(settings)),
        Edges::Plain | Edges::Open => Vec2::ZERO,
    };
    let torus = Torus {
        size: vector(moment.world.size()),
        band,
    };
    FlowParameters {
        flow: Placement {
            scale: settings.noise_scale() as f32,
            origin: vector(moment.noise_origin),
            torus,
        },
        time: moment.time,
        recipe: recipe(settings),
        mode: match settings.mode() {
            settings::Mode::Angle => Mode::Angle,
            settings::Mode::Vector => Mode::Vector,
            settings::Mode::Curl => Mode::Curl,
        },
        turns: settings.turns() as f32,
        even: settings.headings() == Headings::Even,
        directions: settings.directions(),
        corner: settings.corner() as f32,
        seen_bands: moment.world.margin == 0.0,
        speed: settings.speed() as f32,
        evenness: settings.evenness() as f32,
        weight: settings.noise_weight() as f32,
        speed_noise: settings.speed_noise() as f32,
        steady: steady(moment),
        color: Placement {
            scale: settings.color_scale() as f32,
            origin: vector(moment.color_origin),
            torus,
        },
        color_time: moment.color_time,
        color_stretch: settings.color_stretch() as f32,
        births: matches!(settings.births(), Births::Density | Births::Band).then(|| Placement {
            scale: settings.birth_scale() as f32,
            origin: vector(moment.world.centre()) * -(settings.birth_scale() as f32),
            torus,
        }),
    }
}

/// Where particles are born in a moment.
pub(super) fn nursery(moment: &Moment, torus: Torus) -> Nursery {
    let settings = &moment.settings;
    Nursery {
        rule: match settings.births() {
            Births::Uniform => Rule::Uniform,
            Births::Density => Rule::Density {
                threshold: settings.birth_threshold() as f32,
                softness: settings.birth_softness() as f32,
            },
            Births::Bottom => Rule::Bottom,
            Births::Band => Rule::Band,
            Births::Disc => Rule::Disc,
        },
        evenness: settings.birth_evenness() as f32,
        window: vector(moment.world.window),
        torus,
        unit: settings.unit(moment.world.window) as f32,
        tilt: settings.spin_tilt() as f32,
    }
}

/// The noise of a look.
pub fn recipe(settings: &Settings) -> Recipe {
    let sharpness = settings.sharpness() as f32;
    Recipe {
        kind: match settings.noise() {
            Noise::Perlin => NoiseKind::Perlin,
            Noise::Classic => NoiseKind::Classic,
            Noise::Value => NoiseKind::Value,
            Noise::Simplex => NoiseKind::Simplex,
            Noise::OpenSimplex2 => NoiseKind::OpenSimplex2,
        },
        octaves: settings.octaves(),
        lacunarity: settings.lacunarity() as f32,
        gain: settings.gain() as f32,
        shape: match settings.shape() {
            NoiseShape::Plain => Shape::Plain,
            NoiseShape::Ridged => Shape::Ridged,
            NoiseShape::Billow => Shape::Billow,
            NoiseShape::Power => Shape::Power(sharpness),
            NoiseShape::Sine => Shape::Sine(sharpness),
        },
        warp: settings.warp() as f32,
        warp_scale: settings.warp_scale() as f32,
        warp_octaves: settings.warp_octaves(),
    }
}

fn steady(moment: &Moment) -> Steady {
    let settings = &moment.settings;
    let wind = [settings.wind_x(), settings.wind_y()];
    Steady {
        wind: vector(wind.map(|share| share * settings.speed())),
        eddies: Eddies {
            count: settings.eddies() as f32,
            speed: settings.eddy_speed() as f32,
            radius: settings.eddy_radius() as f32,
            seed: settings.seed(),
        },
        disc: Disc {
            speed: settings.spin() as f32,
            fall: settings.spin_fall() as f32,
            flat: settings.spin_tilt() as f32,
            unit: settings.unit(moment.world.window) as f32,
        },
        centre: vector(moment.world.centre()),
    }
}

fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}
