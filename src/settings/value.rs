//! What a setting's value can be, and how it is written, bounded and stepped.

use std::fmt;

use super::{Direction, spelling};
use crate::palette::Scheme;

/// The value of any setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real or whole number.
    Number(f64),
    /// One of a few names.
    Name(&'static str),
    /// A color.
    Color(Color),
    /// A palette.
    Palette(Scheme),
}

/// A color as straight sRGB codes, written `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

/// How far one key press moves a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// By this much.
    Add(f64),
    /// By this factor, above 1.
    Ratio(f64),
}

/// What kind of value a field holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A finite number.
    Real,
    /// A whole number.
    Whole,
    /// One of these names.
    Names(&'static [&'static str]),
    /// A color.
    Color,
    /// A palette.
    Palette,
}

/// What values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    kind: Kind,
    /// Of numbers: lowest, highest, and a key's step.
    range: Option<(f64, f64, Step)>,
}

/// A type that a setting's field can have.
pub trait Parameter: Copy {
    /// What it holds.
    const KIND: Kind;
    /// The field's value as a [`Value`].
    fn to_value(self) -> Value;
    /// The field's value, where `value` is of its kind.
    fn from_value(value: Value) -> Option<Self>;
}

/// An enumeration whose items have names.
pub trait Choice: Copy + PartialEq + 'static {
    /// The names, in order.
    const NAMES: &'static [&'static str];
    /// The items, in the same order.
    const ALL: &'static [Self];
}

impl Parameter for f64 {
    const KIND: Kind = Kind::Real;

    fn to_value(self) -> Value {
        Value::Number(self)
    }

    fn from_value(value: Value) -> Option<f64> {
        match value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl Parameter for u32 {
    const KIND: Kind = Kind::Whole;

    fn to_value(self) -> Value {
        Value::Number(self.into())
    }

    fn from_value(value: Value) -> Option<u32> {
        f64::from_value(value).map(|number| number as u32)
    }
}

impl Parameter for Color {
    const KIND: Kind = Kind::Color;

    fn to_value(self) -> Value {
        Value::Color(self)
    }

    fn from_value(value: Value) -> Option<Color> {
        match value {
            Value::Color(color) => Some(color),
            _ => None,
        }
    }
}

impl Parameter for Scheme {
    const KIND: Kind = Kind::Palette;

    fn to_value(self) -> Value {
        Value::Palette(self)
    }

    fn from_value(value: Value) -> Option<Scheme> {
        match value {
            Value::Palette(scheme) => Some(scheme),
            _ => None,
        }
    }
}

impl<T: Choice> Parameter for T {
    const KIND: Kind = Kind::Names(T::NAMES);

    fn to_value(self) -> Value {
        let index = T::ALL
            .iter()
            .position(|&item| item == self)
            .expect("ALL lists every item");
        Value::Name(T::NAMES[index])
    }

    fn from_value(value: Value) -> Option<T> {
        let Value::Name(name) = value else {
            return None;
        };
        T::NAMES
            .iter()
            .position(|&known| known == name)
            .map(|index| T::ALL[index])
    }
}

impl Domain {
    /// The domain of a field; numbers need one range and one step.
    pub(super) const fn new(kind: Kind, range: &[(f64, f64)], step: &[Step]) -> Domain {
        let numeric = matches!(kind, Kind::Real | Kind::Whole);
        assert!(
            numeric == (range.len() == 1) && numeric == (step.len() == 1),
            "numbers and only they have a range and a step"
        );
        Domain {
            kind,
            range: if numeric {
                Some((range[0].0, range[0].1, step[0]))
            } else {
                None
            },
        }
    }

    /// Lowest and highest number, of numbers.
    pub fn range(&self) -> Option<(f64, f64)> {
        self.range.map(|(low, high, _)| (low, high))
    }

    /// The names, of a choice.
    pub fn names(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Names(names) => names,
            _ => &[],
        }
    }

    /// `value` within the domain, numbers at the nearest end; nothing where it is of another kind or not finite.
    pub(super) fn clamped(&self, value: Value) -> Option<Value> {
        match (self.kind, self.range, value) {
            (kind, Some((low, high, _)), Value::Number(number)) if number.is_finite() => {
                let number = number.clamp(low, high);
                Some(Value::Number(if kind == Kind::Whole {
                    number.round()
                } else {
                    number
                }))
            }
            (Kind::Names(names), _, Value::Name(name)) => names.contains(&name).then_some(value),
            (Kind::Color, _, Value::Color(_)) | (Kind::Palette, _, Value::Palette(_)) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// The value that `text` spells, if it is in the domain.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        match (self.kind, self.range) {
            (Kind::Names(names), _) => names
                .iter()
                .find(|&&name| name == text)
                .map(|&name| Value::Name(name)),
            (Kind::Color, _) => Color::parse(text).map(Value::Color),
            (Kind::Palette, _) => spelling::parse(text).ok().map(Value::Palette),
            (kind, Some((low, high, _))) => {
                let number = number(text).filter(|number| (low..=high).contains(number))?;
                // The sum makes -0 a 0.
                (kind == Kind::Real || number.fract() == 0.0).then_some(Value::Number(number + 0.0))
            }
            _ => None,
        }
    }

    /// What is allowed instead of a text that was refused, where that can be said more closely than for any other.
    pub(super) fn instead_of(&self, text: &str) -> Option<String> {
        match self.kind {
            Kind::Palette => spelling::parse(text).err(),
            _ => None,
        }
    }

    /// One key step from `from`: numbers end at their range, names and palettes go round, colors grow lighter or darker.
    pub(super) fn stepped(&self, from: Value, direction: Direction) -> Value {
        let up = direction == Direction::Up;
        let value = match (from, self.range) {
            (Value::Number(number), Some((_, _, step))) => {
                Value::Number(self.stepped_number(number, step, up))
            }
            (Value::Name(name), _) => {
                let names = self.names();
                let index = names.iter().position(|&known| known == name).unwrap_or(0);
                Value::Name(names[(index + if up { 1 } else { names.len() - 1 }) % names.len()])
            }
            (Value::Color(Color(codes)), _) => {
                let code = |code: u8| {
                    if up {
                        (u16::from(code) * 9 / 8 + 1).min(255) as u8
                    } else {
                        ((u16::from(code) * 8).saturating_sub(8) / 9) as u8
                    }
                };
                Value::Color(Color(codes.map(code)))
            }
            (Value::Palette(scheme), _) => Value::Palette(spelling::stepped(scheme, up)),
            _ => from,
        };
        self.clamped(value).unwrap_or(from)
    }

    fn stepped_number(&self, from: f64, step: Step, up: bool) -> f64 {
        let whole = self.kind == Kind::Whole;
        let to = match step {
            // On a grid of whole steps: no tails like 0.30000000000000004.
            Step::Add(size) => (from / size + if up { 1.0 } else { -1.0 }).round() * size,
            Step::Ratio(ratio) if up => (from * ratio).max(if whole { from + 1.0 } else { from }),
            Step::Ratio(ratio) => (from / ratio).min(if whole { from - 1.0 } else { from }),
        };
        if whole { to.round() } else { rounded(to) }
    }
}

/// `number` to six significant digits, so that what a key sets reads well.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// A number, or a fraction of two.
fn number(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((over, under)) => Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

impl Value {
    /// The value in a few letters, where there is little room; it need not read back.
    pub fn brief(&self) -> String {
        match self {
            Value::Palette(scheme) => spelling::brief(scheme),
            _ => self.to_string(),
        }
    }
}

impl Color {
    pub(super) fn parse(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let code = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        Some(Color([code(0)?, code(2)?, code(4)?]))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Name(name) => f.write_str(name),
            Value::Color(color) => color.fmt(f),
            Value::Palette(scheme) => scheme.fmt(f),
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.kind, self.range) {
            (Kind::Whole, Some((low, high, _))) => write!(f, "a whole number from {low} to {high}"),
            (Kind::Names(names), _) => f.write_str(&names.join(" or ")),
            (Kind::Color, _) => f.write_str("a color like #03121a"),
            (Kind::Palette, _) => f.write_str(
                "hsl, a name, stops like #08397a #6af0e4, cosine and 12 numbers, or a .png file",
            ),
            (_, Some((low, high, _))) => write!(f, "{low} to {high}"),
            (_, None) => Ok(()),
        }
    }
}
