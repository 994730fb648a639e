//! The palettes that the program carries with it.
//!
//! Where threads add up, faint light of a pale color is grey: so the brightest stop of most keeps its chroma, and white
//! comes from many threads alone. Dim yellow and orange would be khaki: warm colors are bright ones.

use super::gradient::{End, Gradient, Space, Stops};
use super::{Cosine, Scheme};

/// A palette with a name.
#[derive(Debug)]
pub struct BuiltIn {
    /// One lower-case word.
    pub name: &'static str,
    /// What it looks like, in one line.
    pub description: &'static str,
    /// What it is made from; never itself a name.
    pub scheme: Scheme,
}

impl PartialEq for BuiltIn {
    fn eq(&self, other: &BuiltIn) -> bool {
        self.name == other.name
    }
}

const fn gradient(stops: Stops) -> Scheme {
    blended(stops, Space::Oklab, End::Open)
}

const fn blended(stops: Stops, space: Space, end: End) -> Scheme {
    Scheme::Gradient(Gradient { stops, space, end })
}

const fn cosine(numbers: [f64; 12]) -> Scheme {
    Scheme::Cosine(Cosine::new(numbers).expect("the numbers below are small"))
}

const fn named(name: &'static str, description: &'static str, scheme: Scheme) -> BuiltIn {
    BuiltIn {
        name,
        description,
        scheme,
    }
}

/// All of them, in the order in which keys go through them.
pub const BUILT_IN: &[BuiltIn] = &[
    named(
        "water",
        "Deep blue that clears to turquoise",
        gradient(Stops::of([
            0x08397a, 0x0b72a8, 0x0fa4c4, 0x2fd0d8, 0x6af0e4,
        ])),
    ),
    named(
        "embers",
        "From white heat through orange to dying red",
        gradient(Stops::of([
            0xffdf98, 0xffa43a, 0xf0561c, 0xa01c12, 0x3a0a0c,
        ])),
    ),
    named(
        "smoke",
        "Slate grey that warms as it rises",
        gradient(Stops::of([0x4a5a6e, 0x8d99a6, 0xd9d2c6])),
    ),
    named(
        "marble",
        "Slate veins with a thread of ochre, for pale grounds",
        gradient(Stops::of([0x16222f, 0x34495a, 0xa8772c, 0x4b6072])),
    ),
    named(
        "aurora",
        "Northern lights: green, teal, blue, violet",
        gradient(Stops::of([
            0x2bff9a, 0x19d6a8, 0x1f8fd0, 0x5a3fd0, 0x9a2fb0,
        ])),
    ),
    named(
        "silk",
        "Violet folds that catch pink light",
        gradient(Stops::of([0x3a1a6a, 0xa0307a, 0xee6a86, 0xffb0a0])),
    ),
    named(
        "storm",
        "Night blue to the white of lightning",
        gradient(Stops::of([0x10233f, 0x2a5f94, 0x63b0ea, 0xb4e0ff])),
    ),
    named(
        "ink",
        "Blue-black ink, for pale grounds",
        gradient(Stops::of([0x0b1626, 0x14304f, 0x26506e])),
    ),
    named(
        "islands",
        "Lagoon green, palms and sand",
        gradient(Stops::of([0x0f5b50, 0x2fa866, 0xc7d96a, 0xffd98a])),
    ),
    named(
        "vangogh",
        "A starry night: cobalt, sky and yellow",
        gradient(Stops::of([
            0x0a1a4f, 0x1d4a9e, 0x4f96d0, 0xa9cfd8, 0xf2d35e,
        ])),
    ),
    named(
        "galaxy",
        "From a golden core through rose to cold blue",
        gradient(Stops::of([
            0xfff0d0, 0xffb873, 0xd66fb5, 0x5a6bff, 0x1c4fc0,
        ])),
    ),
    named(
        "starling",
        "Dark birds, for a bright sky",
        gradient(Stops::of([0x0a0d18, 0x1a1c2c])),
    ),
    named(
        "neon",
        "Pink, violet, blue and cyan tubes",
        gradient(Stops::of([0xff1fa0, 0x8a2bff, 0x1f7bff, 0x14f0e0])),
    ),
    named(
        "mono",
        "Silver to white",
        gradient(Stops::of([0x9aa4ad, 0xffffff])),
    ),
    named(
        "whirl",
        "Indigo through violet and rose to apricot",
        gradient(Stops::of([0x2436a0, 0x7a3fd6, 0xe05fb0, 0xffb060])),
    ),
    named(
        "abyss",
        "One blue from the depths to the surface, in even steps of lightness",
        gradient(Stops::of([
            0x02273a, 0x044e6d, 0x0179a3, 0x0aa6da, 0x6bd3fe,
        ])),
    ),
    named(
        "orchid",
        "Purple night that opens into pink",
        gradient(Stops::of([0x360761, 0x740a95, 0xb826b2, 0xed65b9])),
    ),
    named(
        "reef",
        "Teal and sea green, with yellow fish and coral",
        blended(
            Stops::of([0x04424e, 0x079a94, 0x52db9c, 0xff726b]),
            Space::Oklch,
            End::Open,
        ),
    ),
    named(
        "kingfisher",
        "Blue feathers, and round by rose to orange ones",
        blended(
            Stops::of([0x01345e, 0x0f62b8, 0xfa7c20]),
            Space::Oklch,
            End::Open,
        ),
    ),
    named(
        "tide",
        "Deep blue, turquoise, violet and back",
        blended(
            Stops::of([0x012868, 0x017d9f, 0x19e1d5, 0x5658ab]),
            Space::Oklab,
            End::Periodic,
        ),
    ),
    named(
        "wheel",
        "All hues at one lightness, round and back",
        blended(
            Stops::of([0xda6d5d, 0xb28d04, 0x47aa62, 0x01a4b9, 0x718ce8, 0xc170bb]),
            Space::Oklch,
            End::Periodic,
        ),
    ),
    named(
        "prism",
        "The rainbow of three cosines",
        cosine([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 0.0, 0.33, 0.67]),
    ),
    named(
        "dusk",
        "Blue hour, violet, and the last red",
        cosine([
            0.5, 0.45, 0.6, 0.42, 0.38, 0.35, 0.5, 0.5, 0.5, 0.5, 0.25, 0.0,
        ]),
    ),
];

#[cfg(test)]
mod tests {
    use super::super::oklab::{lab, light_of};
    use super::*;

    fn stops(scheme: &Scheme) -> Option<&[[u8; 3]]> {
        match scheme {
            Scheme::Gradient(gradient) => Some(gradient.stops.colors()),
            _ => None,
        }
    }

    #[test]
    fn names_are_words_of_their_own_and_descriptions_one_line() {
        let mut names: Vec<_> = BUILT_IN.iter().map(|known| known.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(names.len() >= 16);
        for known in BUILT_IN {
            let is_word = known.name.bytes().all(|byte| byte.is_ascii_lowercase());
            let reserved = ["hsl", "oklab", "oklch", "periodic", "cosine"];
            assert!(is_word && !reserved.contains(&known.name), "{}", known.name);
            assert!((5..80).contains(&known.description.len()), "{}", known.name);
            assert!(!known.description.contains(['\n', '|']), "{}", known.name);
            let is_own = matches!(known.scheme, Scheme::Gradient(_) | Scheme::Cosine(_));
            assert!(is_own, "{}", known.name);
        }
    }

    /// The smallest channel of the brightest stop, as a share of the largest, in linear light; what is meant to be pale apart.
    #[test]
    fn the_brightest_stop_keeps_its_chroma() {
        for name in ["water", "neon", "whirl", "abyss", "orchid", "reef"]
            .into_iter()
            .chain(["kingfisher", "tide", "wheel"])
        {
            let known = BUILT_IN.iter().find(|known| known.name == name).unwrap();
            let lights = stops(&known.scheme).unwrap().iter().map(|&c| light_of(c));
            let brightest = lights
                .max_by(|a, b| lab(*a)[0].total_cmp(&lab(*b)[0]))
                .unwrap();
            let [low, high] = [
                brightest.into_iter().fold(1.0, f64::min),
                brightest.into_iter().fold(0.0, f64::max),
            ];
            assert!(low / high <= 0.3, "{name}: {}", low / high);
        }
    }

    #[test]
    fn the_depths_rise_in_even_steps_of_lightness() {
        let abyss = BUILT_IN.iter().find(|known| known.name == "abyss").unwrap();
        let lights = stops(&abyss.scheme).unwrap().iter().map(|&c| light_of(c));
        let lightness: Vec<f64> = lights.map(|light| lab(light)[0]).collect();
        for pair in lightness.windows(2) {
            assert!((pair[1] - pair[0] - 0.14).abs() < 4e-3, "{lightness:?}");
        }
    }
}
