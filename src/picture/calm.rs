//! How dim a picture is made that is to stay calm, or to spare a screen that burns in.
//!
//! Nothing is measured: what light threads make is bounded by the settings. Tone and the sRGB curve bend downwards, so the mean of
//! what is shown is at most what the mean of the light would be shown as.

use crate::palette::{Palette, linear};
use crate::polynomial::{exp2, log2};
use crate::settings::{Backdrop, Blend, Color, Parameter, Settings, Switch, Value, setting};

/// The most mean luma of a calm picture, and of one that spares a screen, as a share of full scale.
const CALM: f64 = 0.38;
const SPARING: f64 = 0.2;

/// What of the light at that luma the background may be where light is added to it.
const GROUND: f64 = 0.3;

/// The exponent of the sRGB curve; where it is a line it bends less.
const GAMMA: f64 = 2.4;

/// How much longer paths are where their speed swings.
const SWINGING: f64 = 1.25;

/// What a look becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dimmed {
    /// With another background and exposure.
    pub settings: Settings,
    /// What the light of the palette is multiplied by.
    pub paint: f32,
}

/// A look with its palette in a window of so many square px, as dim as it is to be.
pub(super) fn dimmed(settings: &Settings, palette: &Palette, area: f64) -> Dimmed {
    let mut settings = *settings;
    let most = match (settings.oled(), settings.calm()) {
        (Switch::On, _) => SPARING,
        (Switch::Off, Switch::On) => CALM,
        (Switch::Off, Switch::Off) => {
            return Dimmed {
                settings,
                paint: 1.0,
            };
        }
    };
    if settings.oled() == Switch::On {
        blacken(&mut settings);
    }
    let paint = match settings.blend() {
        Blend::Add => {
            dim_light(&mut settings, palette, area, most);
            1.0
        }
        Blend::Over | Blend::Codes => dim_paint(&mut settings, palette, area, most),
    };
    Dimmed { settings, paint }
}

fn blacken(settings: &mut Settings) {
    if let Some(row) = setting("backdrop") {
        row.set(settings, Backdrop::Flat.to_value());
    }
    for name in BACKGROUNDS {
        put_color(settings, name, [0; 3]);
    }
}

const BACKGROUNDS: [&str; 3] = ["background", "background_middle", "background_top"];

/// Lowers background and exposure.
fn dim_light(settings: &mut Settings, palette: &Palette, area: f64, most: f64) {
    let room = light_behind(to_linear(most));
    let ground = ground(settings, luma);
    let wanted = 1.0 - exp2((-GROUND * room * std::f64::consts::LOG2_E) as f32);
    let wanted = f64::from(wanted);
    let ground = if ground > wanted {
        dim_background(settings, wanted / ground);
        wanted
    } else {
        ground
    };
    let room = room - light_behind(ground);
    let light = strength(settings, area) * brightest(palette.linear());
    let light = light * settings.exposure();
    if light > room {
        let exposure = settings.exposure() * room / light;
        if let Some(row) = setting("exposure") {
            row.set(settings, Value::Number(exposure));
        }
    }
}

/// Lowers the background; says what the light of the palette is to be multiplied by.
fn dim_paint(settings: &mut Settings, palette: &Palette, area: f64, most: f64) -> f32 {
    let thickness = strength(settings, area) * std::f64::consts::LOG2_E;
    let covered = 1.0 - f64::from(exp2(-thickness as f32));
    let mean = |ground: f64, paint: f64| ground + covered * (paint - ground).max(0.0);
    let factor = match settings.blend() {
        // In codes, as it is laid: scaled light has codes that are scaled by its root at most.
        Blend::Codes => {
            let mean = mean(ground(settings, luma_of_codes), brightest(palette.colors()));
            exp2((GAMMA * log2((most / mean).min(1.0))) as f32)
        }
        Blend::Over | Blend::Add => {
            let mean = mean(ground(settings, luma), brightest(palette.linear()));
            (to_linear(most) / mean).min(1.0) as f32
        }
    };
    if factor < 1.0 {
        dim_background(settings, factor.into());
    }
    factor
}

/// What all threads lay on a px at most, in the mean: light where it is added, and the logarithm of what paint lets through.
fn strength(settings: &Settings, area: f64) -> f64 {
    let threads = f64::from(settings.window_particles(area)) / area;
    let speed = settings.speed();
    let wind = settings.wind_x().abs() + settings.wind_y().abs();
    let eddies = if settings.eddies() > 0 {
        settings.eddy_speed()
    } else {
        0.0
    };
    let path = speed * (settings.noise_weight().abs() + wind) + eddies + settings.spin().abs();
    let path = match settings.speed_noise() > 0.0 {
        true => path * SWINGING,
        false => path,
    };
    // Bright threads are the wide ones: the mean of (1 + s) u^s (1 + w (2 u - 1)) over u in [0, 1].
    let spread = settings.light_spread();
    let wider = 1.0 + settings.width_spread() * spread / (spread + 2.0);
    // Births and deaths ease along a smoothstep, whose mean is a half.
    let width = settings.stroke_width() * wider * (1.0 - settings.ease());
    let laid = threads * path * width * settings.alpha(area) / settings.fade();
    if settings.blend() == Blend::Add {
        let (near, wide) = (settings.bloom(), settings.bloom_wide());
        laid * (1.0 + near + wide * (1.0 + near))
    } else {
        laid
    }
}

/// The light that is shown as this share of full light.
fn light_behind(shown: f64) -> f64 {
    -log2(1.0 - shown) * std::f64::consts::LN_2
}

/// The linear light of a share of full scale, at its nearest code.
fn to_linear(shown: f64) -> f64 {
    linear((shown * 255.0) as u8).into()
}

/// The luma of the brightest color: at times no other may be seen.
fn brightest(colors: &[[f32; 3]]) -> f64 {
    let lumas = colors.iter().map(|color| weighted(color.map(f64::from)));
    lumas.fold(1e-6, f64::max)
}

/// Of the brightest color that the background has.
fn ground(settings: &Settings, luma: fn([u8; 3]) -> f64) -> f64 {
    let Color(bottom) = settings.background();
    let (Color(middle), Color(top)) = (settings.background_middle(), settings.background_top());
    let colors = match settings.backdrop() {
        Backdrop::Flat => [bottom; 3],
        Backdrop::Vertical | Backdrop::Radial => [bottom, top, top],
        Backdrop::Horizon => [bottom, middle, top],
    };
    colors.into_iter().map(luma).fold(0.0, f64::max)
}

fn luma(codes: [u8; 3]) -> f64 {
    weighted(codes.map(|code| linear(code).into()))
}

fn luma_of_codes(codes: [u8; 3]) -> f64 {
    weighted(codes.map(|code| f64::from(code) / 255.0))
}

fn weighted([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Multiplies the light of a background; its codes are rounded down.
fn dim_background(settings: &mut Settings, factor: f64) {
    let colors = [
        settings.background(),
        settings.background_middle(),
        settings.background_top(),
    ];
    for (name, Color(codes)) in BACKGROUNDS.into_iter().zip(colors) {
        let dim = |code: u8| {
            let light = f64::from(linear(code)) * factor;
            (0..=code)
                .rev()
                .find(|&dim| f64::from(linear(dim)) <= light)
        };
        put_color(settings, name, codes.map(|code| dim(code).unwrap_or(0)));
    }
}

fn put_color(settings: &mut Settings, name: &str, codes: [u8; 3]) {
    if let Some(row) = setting(name) {
        row.set(settings, Value::Color(Color(codes)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::palette;
    use crate::settings::preset::{EMBEDDED, Preset};

    const AREA: f64 = 1920.0 * 1080.0;

    fn with(preset: &str, name: &str) -> Settings {
        let mut settings = Preset::load(preset).unwrap().settings;
        let row = setting(name).unwrap();
        row.set(&mut settings, row.parse("on").unwrap());
        settings
    }

    #[test]
    fn a_look_that_is_neither_stays_as_it_is() {
        for (name, _) in EMBEDDED {
            let settings = Preset::load(name).unwrap().settings;
            let found = dimmed(&settings, &palette(&settings), AREA);
            assert_eq!((found.settings, found.paint), (settings, 1.0), "{name}");
        }
    }

    /// Dark looks are hardly touched; light ones keep their contrast.
    #[test]
    fn a_calm_look_is_dimmed_as_far_as_it_must_be() {
        for (name, _) in EMBEDDED {
            let settings = with(name, "calm");
            let found = dimmed(&settings, &palette(&settings), AREA);
            let share = found.settings.exposure() / settings.exposure();
            println!("{name}: exposure {share:.2}, paint {:.2}", found.paint);
            match *name {
                "ink" | "marble" | "starling" => assert!(found.paint < 0.4, "{name}"),
                "original" | "brook" | "water" | "silk" => {
                    assert!(share > 0.4 && found.paint > 0.9, "{name}");
                }
                _ => (),
            }
            assert!(ground(&found.settings, luma) <= to_linear(CALM), "{name}");
        }
    }

    #[test]
    fn a_screen_that_burns_in_has_a_black_background() {
        for (name, _) in EMBEDDED {
            let settings = with(name, "oled");
            let found = dimmed(&settings, &palette(&settings), AREA).settings;
            assert_eq!(ground(&found, luma_of_codes), 0.0, "{name}");
            assert_eq!(found.backdrop(), Backdrop::Flat);
        }
    }
}
