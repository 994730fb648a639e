//! Which of several ways a canvas takes to draw, and their names on the command line.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use thiserror::Error;

use super::target::Precision;

/// What the light is held in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// 16-bit floats, and 32-bit floats while fades are slow.
    Mixed,
    /// 32-bit floats.
    Single,
    /// 16-bit floats; slow fades are drawn several at once.
    Half,
    /// 8-bit codes: trails are coarser, and end a little early or late.
    Bytes,
}

impl Light {
    /// What textures hold that are not drawn to.
    pub(super) fn finest(self) -> Precision {
        match self {
            Light::Bytes => Precision::Bytes,
            Light::Mixed | Light::Single | Light::Half => Precision::Single,
        }
    }
}

/// How segments become quads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quads {
    /// One quad, drawn once for each segment.
    Instanced,
    /// Four vertices for each segment.
    Expanded,
}

/// The way that a canvas has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// What the light is held in.
    pub light: Light,
    /// How segments become quads.
    pub quads: Quads,
}

/// The way that a canvas is to take; what is left open is asked of the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedPath {
    /// What the light is to be held in.
    pub light: Option<Light>,
    /// How segments are to become quads.
    pub quads: Option<Quads>,
}

/// A word that names no part of a path, or a part that was named before.
#[derive(Clone, Debug, Error)]
#[error("{text:?}: allowed is one of {lights}, one of {quads}, or both with a comma between", lights = names(&LIGHTS), quads = names(&QUADS))]
pub struct UnknownPath {
    text: String,
}

const LIGHTS: [(&str, Light); 4] = [
    ("mixed", Light::Mixed),
    ("single", Light::Single),
    ("half", Light::Half),
    ("bytes", Light::Bytes),
];
const QUADS: [(&str, Quads); 2] = [
    ("instanced", Quads::Instanced),
    ("expanded", Quads::Expanded),
];

impl FromStr for WantedPath {
    type Err = UnknownPath;

    fn from_str(text: &str) -> Result<WantedPath, UnknownPath> {
        let mut path = WantedPath::default();
        for word in text.split(',') {
            match (named(&LIGHTS, word), named(&QUADS, word)) {
                (Some(light), _) if path.light.is_none() => path.light = Some(light),
                (_, Some(quads)) if path.quads.is_none() => path.quads = Some(quads),
                _ => {
                    return Err(UnknownPath {
                        text: text.to_owned(),
                    });
                }
            }
        }
        Ok(path)
    }
}

impl Display for Path {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let (light, quads) = (name(&LIGHTS, self.light), name(&QUADS, self.quads));
        write!(formatter, "{light},{quads}")
    }
}

fn named<T: Copy>(rows: &[(&str, T)], word: &str) -> Option<T> {
    rows.iter()
        .find_map(|&(name, value)| (name == word).then_some(value))
}

fn name<T: Copy + PartialEq>(rows: &[(&'static str, T)], value: T) -> &'static str {
    let found = rows.iter().find(|row| row.1 == value);
    found.expect("every part of a path has a name").0
}

fn names<T>(rows: &[(&str, T)]) -> String {
    let names: Vec<&str> = rows.iter().map(|row| row.0).collect();
    names.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for (_, light) in LIGHTS {
            for (_, quads) in QUADS {
                let text = Path { light, quads }.to_string();
                let wanted: WantedPath = text.parse().unwrap();
                assert_eq!((wanted.light, wanted.quads), (Some(light), Some(quads)));
            }
        }
        let half: WantedPath = "half".parse().unwrap();
        assert_eq!((half.light, half.quads), (Some(Light::Half), None));
        let expanded: WantedPath = "expanded,bytes".parse().unwrap();
        assert_eq!(expanded.light, Some(Light::Bytes));
    }

    #[test]
    fn what_is_no_path_is_refused_in_one_line() {
        for text in ["", "quarter", "half,single", "expanded,expanded", "half,"] {
            let message = text.parse::<WantedPath>().unwrap_err().to_string();
            assert!(
                message.contains("mixed single half bytes") && !message.contains('\n'),
                "{message}"
            );
        }
    }
}
