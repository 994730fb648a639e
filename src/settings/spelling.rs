//! How palettes are written: `water`, `#08397a #6af0e4`, `oklch periodic #08397a #6af0e4`, `cosine` and twelve numbers.

use std::fmt;

use super::Color;
use crate::palette::{
    BUILT_IN, Cosine, End, FEWEST_STOPS, Gradient, LARGEST, MOST_STOPS, Scheme, Space, Stops,
};

/// The name of the ramp that settings of its own describe.
const RAMP: &str = "hsl";
/// The word before the numbers of a cosine palette.
const COSINE: &str = "cosine";
/// The words that may stand before stops.
const OKLAB: &str = "oklab";
const OKLCH: &str = "oklch";
const PERIODIC: &str = "periodic";

/// The scheme that a text spells, its words divided by blanks or commas.
///
/// # Errors
///
/// What is allowed instead, and what stands there.
pub(super) fn parse(text: &str) -> Result<Scheme, String> {
    let words: Vec<&str> = text
        .split(|letter: char| letter.is_whitespace() || letter == ',')
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        [COSINE, numbers @ ..] => cosine(numbers),
        [OKLAB | OKLCH | PERIODIC, ..] => gradient(&words),
        [first, ..] if first.starts_with('#') => gradient(&words),
        [name] => named(name),
        _ => Err(names()),
    }
}

fn named(name: &str) -> Result<Scheme, String> {
    if name == RAMP {
        return Ok(Scheme::Hsl);
    }
    let known = BUILT_IN.iter().find(|known| known.name == name);
    known.map(Scheme::BuiltIn).ok_or_else(names)
}

/// Everything that is allowed, with all names.
fn names() -> String {
    let names: Vec<&str> = BUILT_IN.iter().map(|known| known.name).collect();
    format!(
        "{RAMP}, {}, {FEWEST_STOPS} to {MOST_STOPS} stops like #08397a #6af0e4, or {COSINE} and 12 numbers",
        names.join(", ")
    )
}

fn gradient(words: &[&str]) -> Result<Scheme, String> {
    let begin = words
        .iter()
        .position(|word| ![OKLAB, OKLCH, PERIODIC].contains(word));
    let (modes, stops) = words.split_at(begin.unwrap_or(words.len()));
    let count = |mode: &str| modes.iter().filter(|word| **word == mode).count();
    if count(OKLAB) + count(OKLCH) > 1 || count(PERIODIC) > 1 {
        return Err(format!(
            "{OKLAB} or {OKLCH} once, {PERIODIC} once, and stops like #08397a #6af0e4"
        ));
    }
    let code = |stop: &&str| match Color::parse(stop) {
        Some(Color(codes)) if stop.starts_with('#') => Ok(codes),
        _ => Err(format!("stops like #08397a, not {stop}")),
    };
    let codes: Vec<[u8; 3]> = stops.iter().map(code).collect::<Result<_, _>>()?;
    let stops = Stops::new(&codes)
        .ok_or_else(|| format!("{FEWEST_STOPS} to {MOST_STOPS} stops, not {}", codes.len()))?;
    Ok(Scheme::Gradient(Gradient {
        stops,
        space: match count(OKLCH) {
            0 => Space::Oklab,
            _ => Space::Oklch,
        },
        end: match count(PERIODIC) {
            0 => End::Open,
            _ => End::Periodic,
        },
    }))
}

fn cosine(words: &[&str]) -> Result<Scheme, String> {
    let read = |word: &&str| {
        let number = word.parse::<f64>().ok();
        // The sum makes -0 a 0.
        let number = number.filter(|number| number.abs() <= LARGEST);
        number.map(|number| number + 0.0).ok_or_else(|| {
            format!("{COSINE} and 12 numbers from -{LARGEST} to {LARGEST}, not {word}")
        })
    };
    let numbers: Vec<f64> = words.iter().map(read).collect::<Result<_, _>>()?;
    let count = numbers.len();
    let cosine = numbers.try_into().ok().and_then(Cosine::new);
    cosine
        .map(Scheme::Cosine)
        .ok_or_else(|| format!("{COSINE} and 12 numbers, not {count}"))
}

/// The scheme one key step from `from`: round through the ramp and all that have names; one without a name lies between both ends.
pub(super) fn stepped(from: Scheme, is_up: bool) -> Scheme {
    let count = BUILT_IN.len();
    let place = match from {
        Scheme::Hsl => Some(count),
        Scheme::BuiltIn(name) => BUILT_IN.iter().position(|known| known == name),
        Scheme::Gradient(_) | Scheme::Cosine(_) => None,
    };
    let next = match (place, is_up) {
        (Some(place), true) => (place + 1) % (count + 1),
        (Some(place), false) => (place + count) % (count + 1),
        (None, true) => 0,
        (None, false) => count - 1,
    };
    BUILT_IN.get(next).map_or(Scheme::Hsl, Scheme::BuiltIn)
}

/// The scheme in a few letters.
pub(super) fn brief(scheme: &Scheme) -> String {
    match scheme {
        Scheme::Gradient(gradient) => format!("{} stops", gradient.stops.colors().len()),
        Scheme::Cosine(_) => COSINE.to_owned(),
        Scheme::Hsl | Scheme::BuiltIn(_) => scheme.to_string(),
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Scheme::Hsl => f.write_str(RAMP),
            Scheme::BuiltIn(known) => f.write_str(known.name),
            Scheme::Gradient(Gradient { stops, space, end }) => {
                let mut words = Vec::new();
                if *space == Space::Oklch {
                    words.push(OKLCH.to_owned());
                }
                if *end == End::Periodic {
                    words.push(PERIODIC.to_owned());
                }
                words.extend(stops.colors().iter().map(|&stop| Color(stop).to_string()));
                f.write_str(&words.join(" "))
            }
            Scheme::Cosine(cosine) => {
                f.write_str(COSINE)?;
                cosine
                    .numbers()
                    .iter()
                    .try_for_each(|number| write!(f, " {number}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::preset::{self, Preset};
    use super::super::{Direction, Settings, Value, setting};
    use super::*;

    fn scheme(text: &str) -> Scheme {
        parse(text).unwrap()
    }

    #[test]
    fn what_is_written_reads_back() {
        let most = ["#0a0b0c"; 32].join(" ");
        for text in [
            "hsl",
            "water",
            "#08397a #0b72a8",
            "oklch #08397a #0b72a8 #ffffff",
            "periodic #08397a #0b72a8",
            "oklch periodic #08397a #0b72a8",
            "cosine 0.5 0.5 0.5 0.1 -0.2 0.3333333333333333 1 1 1 0 0.33 -100",
            &most,
        ] {
            assert_eq!(scheme(text).to_string(), text);
        }
        for known in BUILT_IN {
            assert_eq!(scheme(known.name), Scheme::BuiltIn(known));
            assert_eq!(scheme(&known.scheme.to_string()), known.scheme);
        }
        let plain = scheme("oklch periodic #08397a #0b72a8");
        assert_eq!(scheme("periodic,oklch  #08397A,\n#0B72A8"), plain);
        assert_eq!(scheme("oklab #08397a #0b72a8"), scheme("#08397a #0b72a8"));
        let zeros = format!("cosine{}", " -0".repeat(12));
        assert_eq!(scheme(&zeros).to_string(), zeros.replace('-', ""));
        let tiny = format!("cosine{}", " 1e-300".repeat(12));
        assert_eq!(scheme(&scheme(&tiny).to_string()), scheme(&tiny));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        let row = setting("palette").unwrap();
        let stops = ["#010203"; 33].join(" ");
        let numbers = |count: usize, last: &str| format!("cosine{} {last}", " 1".repeat(count));
        for (text, reason) in [
            ("#08397a".to_owned(), "2 to 32 stops, not 1"),
            (stops, "2 to 32 stops, not 33"),
            ("oklch".to_owned(), "2 to 32 stops, not 0"),
            (
                "#08397a #12345".to_owned(),
                "stops like #08397a, not #12345",
            ),
            (
                "#08397a 123456".to_owned(),
                "stops like #08397a, not 123456",
            ),
            (
                "#08397a #é1234".to_owned(),
                "stops like #08397a, not #é1234",
            ),
            ("periodic water".to_owned(), "stops like #08397a, not water"),
            (
                "oklch oklab #010203 #010203".to_owned(),
                "oklab or oklch once, periodic once, and stops like #08397a #6af0e4",
            ),
            (numbers(10, "1"), "cosine and 12 numbers, not 11"),
            (numbers(12, "1"), "cosine and 12 numbers, not 13"),
            (
                numbers(11, "nan"),
                "cosine and 12 numbers from -100 to 100, not nan",
            ),
            (
                numbers(11, "101"),
                "cosine and 12 numbers from -100 to 100, not 101",
            ),
            (
                numbers(11, "x"),
                "cosine and 12 numbers from -100 to 100, not x",
            ),
        ] {
            let error = row.parse(&text).unwrap_err().to_string();
            assert_eq!(error, format!("palette = {text}: allowed is {reason}"));
        }
        for text in ["lava", "", "water embers", "facade", "HSL"] {
            let error = row.parse(text).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
            for known in ["hsl,", "stops like #08397a", "cosine and 12 numbers"] {
                assert!(error.contains(known), "{error}");
            }
            let lists = |name: &str| error.contains(&format!(" {name},"));
            assert!(BUILT_IN.iter().all(|known| lists(known.name)), "{error}");
        }
    }

    #[test]
    fn saved_looks_keep_palettes_without_a_name() {
        let row = setting("palette").unwrap();
        let cosines = format!("cosine{}", " 0.1".repeat(12));
        for text in ["oklch periodic #010203 #040506", &cosines, "embers"] {
            let mut settings = Settings::default();
            row.set(&mut settings, row.parse(text).unwrap());
            let saved = preset::written(&settings);
            let read = Preset::parse("x", &saved).unwrap().settings;
            assert_eq!(read.palette(), settings.palette());
        }
    }

    #[test]
    fn keys_go_round_through_all_names() {
        let row = setting("palette").unwrap();
        for direction in [Direction::Up, Direction::Down] {
            let mut value = Value::Palette(Scheme::Hsl);
            let mut seen = Vec::new();
            for _ in 0..=BUILT_IN.len() {
                value = row.stepped(value, direction);
                assert!(!seen.contains(&value), "{value}");
                seen.push(value);
            }
            assert_eq!(value, Value::Palette(Scheme::Hsl));
        }
        let own = row.parse("#010203 #040506").unwrap();
        let (first, last) = (&BUILT_IN[0], &BUILT_IN[BUILT_IN.len() - 1]);
        let up = row.stepped(own, Direction::Up);
        assert_eq!(up, Value::Palette(Scheme::BuiltIn(first)));
        let down = row.stepped(own, Direction::Down);
        assert_eq!(down, Value::Palette(Scheme::BuiltIn(last)));
        let mut settings = Settings::default();
        row.set(&mut settings, own);
        assert_eq!(settings.leapt(row, Direction::Up, 1e6), up);
        row.set(&mut settings, Value::Name("water"));
        assert_eq!(row.value(&settings), own);
    }

    #[test]
    fn a_look_of_ones_own_is_named_briefly() {
        assert_eq!(brief(&scheme("#010203 #040506 #010203")), "3 stops");
        assert_eq!(brief(&scheme("water")), "water");
        assert_eq!(
            brief(&scheme(&format!("cosine{}", " 1".repeat(12)))),
            "cosine"
        );
    }
}
