//! How the segments of a step are stroked and shown: what a moment's settings are to a canvas.

use super::calm::{Dimmed, dimmed};
use super::ground::Ground;
use crate::canvas::{Background, Blend, Bloom, Extent, Strokes};
use crate::palette::{HslRamp, Palette, Scheme};
use crate::settings::{self, Settings};
use crate::simulation::{Segments, shift, widths};
use crate::timeline::Moment;

/// Everything of a look that a canvas needs to know.
#[derive(Clone, Debug)]
pub(super) struct Ink {
    tint: Tint,
    /// Of the look, and as it is shown.
    whole: Palette,
    palette: Palette,
    /// The share of its light that it is shown with.
    paint: f32,
    width: [f32; 2],
    /// What is at the window's top left, in logical px.
    shift: [f32; 2],
    alpha: f32,
    blend: Blend,
    pub keep: f32,
    pub exposure: f32,
    pub bloom: Option<Bloom>,
    ground: Ground,
    window: [f64; 2],
}

/// Everything that the palette of a look follows from.
#[derive(Clone, Debug, PartialEq)]
struct Tint {
    scheme: Scheme,
    /// Where the scheme is made from it; else the same for all looks.
    ramp: HslRamp,
    /// Degrees.
    hue_shift: f64,
}

impl Tint {
    fn new(settings: &Settings) -> Tint {
        let scheme = settings.palette();
        let ramp = match scheme {
            Scheme::Hsl => ramp(settings),
            _ => ramp(&Settings::default()),
        };
        Tint {
            scheme,
            ramp,
            hue_shift: settings.hue_shift(),
        }
    }

    fn palette(&self) -> Palette {
        Palette::new(&self.scheme, &self.ramp).turned(self.hue_shift)
    }
}

impl Ink {
    pub(super) fn new(moment: &Moment) -> Ink {
        let tint = Tint::new(&moment.settings);
        let whole = tint.palette();
        let mut ink = Ink {
            palette: whole.clone(),
            whole,
            paint: 1.0,
            tint,
            width: [1.0; 2],
            shift: [0.0; 2],
            alpha: 0.0,
            blend: Blend::Codes,
            keep: 0.0,
            exposure: 1.0,
            bloom: None,
            ground: Ground::new(moment),
            window: [0.0; 2],
        };
        ink.refresh(moment);
        ink
    }

    pub(super) fn refresh(&mut self, moment: &Moment) {
        let [width, height] = moment.world.window;
        let tint = Tint::new(&moment.settings);
        let is_new = tint != self.tint;
        if is_new {
            self.whole = tint.palette();
            self.tint = tint;
        }
        let Dimmed { settings, paint } = dimmed(&moment.settings, &self.whole, width * height);
        if is_new || paint != self.paint {
            self.palette = self.whole.clone().dimmed(paint);
            self.paint = paint;
        }
        let moment = &Moment {
            settings,
            ..*moment
        };
        let settings = &moment.settings;
        let stroke_width = settings.stroke_width() as f32;
        self.width = widths(settings).map(|share| share * stroke_width);
        // Of the brightest: the mean over all threads is 1.
        let brightest = 1.0 + settings.light_spread();
        self.alpha = (settings.alpha(width * height) * brightest) as f32;
        self.blend = match settings.blend() {
            settings::Blend::Over => Blend::Over,
            settings::Blend::Add => Blend::Add,
            settings::Blend::Codes => Blend::Codes,
        };
        self.keep = (1.0 - settings.fade()) as f32;
        self.exposure = settings.exposure() as f32;
        self.bloom = bloom(settings);
        self.ground.refresh(moment);
        self.window = moment.world.window;
        self.shift = shift(moment);
    }

    pub(super) fn strokes<'a>(&'a self, step: i64, segments: &'a Segments) -> Strokes<'a> {
        Strokes {
            step,
            segments,
            shift: self.shift,
            width: self.width,
            alpha: self.alpha,
            blend: self.blend,
            glows: self.bloom.is_some(),
            palette: &self.palette,
        }
    }

    pub(super) fn background(&self) -> Background<'_> {
        self.ground.background()
    }

    /// The extent of a canvas of this scale that shows the window.
    pub(super) fn extent(&self, scale: f32) -> Extent {
        super::extent(self.window, scale)
    }
}

fn bloom(settings: &Settings) -> Option<Bloom> {
    let shares = [settings.bloom(), settings.bloom_wide()].map(|share| share as f32);
    let radii = [settings.bloom_radius(), settings.bloom_wide_radius()];
    let is_added = settings.blend() == settings::Blend::Add;
    (is_added && shares != [0.0; 2]).then_some(Bloom {
        shares,
        radii: radii.map(|radius| radius as f32),
    })
}

/// The palette of a look.
pub fn palette(settings: &Settings) -> Palette {
    Tint::new(settings).palette()
}

fn ramp(settings: &Settings) -> HslRamp {
    HslRamp {
        hue: settings.hue() as f32,
        hue_span: settings.hue_span() as f32,
        saturation: settings.saturation() as f32,
        lightness: settings.lightness() as f32,
        lightness_span: settings.lightness_span() as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::setting;

    fn with(settings: &Settings, name: &str, text: &str) -> Settings {
        let (mut settings, row) = (*settings, setting(name).unwrap());
        row.set(&mut settings, row.parse(text).unwrap());
        settings
    }

    /// A table is made anew where another would come out, and only there.
    #[test]
    fn a_palette_follows_its_own_settings_alone() {
        let ramp = Settings::default();
        let known = with(&ramp, "palette", "reef");
        let changes = |settings: &Settings, name: &str, text: &str| {
            Tint::new(&with(settings, name, text)) != Tint::new(settings)
        };
        for (name, text, of_ramp, of_known) in [
            ("fade", "0.1", false, false),
            ("background", "#ffffff", false, false),
            ("hue", "12", true, false),
            ("hue_span", "12", true, false),
            ("saturation", "12", true, false),
            ("lightness", "12", true, false),
            ("lightness_span", "12", true, false),
            ("hue_shift", "12", true, true),
            ("palette", "#010203 #040506", true, true),
        ] {
            assert_eq!(changes(&ramp, name, text), of_ramp, "{name}");
            assert_eq!(changes(&known, name, text), of_known, "{name}");
        }
        assert_ne!(palette(&ramp), palette(&known));
        assert_ne!(palette(&known), palette(&with(&known, "hue_shift", "12")));
    }
}
