//! Takes: everything that a picture was made from, as text.
//!
//! A take holds the settings and the window at the start, and every event after it; so it gives the same picture again, at
//! any size and frame rate. It is lines of words, one for each fact, and stands in a file of its own or inside a recording:
//!
//! ```text
//! eddyline-take 1
//! program 0.1.0
//! window 1280 720
//! setting seed 5
//! shot size 1920 1080
//! at 120 set noise_scale 0.002
//! at 121 world 800 600 112
//! at 130 budget 0.75
//! at 131 stir 400 300 2.5 -1
//! at 600 look seed 5; particles 0; ..
//! end 3600
//! ```
//!
//! Whatever was cut off at a line's end is still a take: the picture up to there.

use std::fmt::Write;
use std::str::FromStr;

use crate::settings::{SETTINGS, Setting, SettingError, Settings, Value, setting};
use crate::timeline::{Change, Event, Show, Stir, World};

/// The first line of every take.
pub const FIRST_LINE: &str = "eddyline-take 1";

/// The last step that a take may speak of: after a thousand years.
const LAST_STEP: i64 = 1000 * 366 * 86_400 * 60;

/// Nanoseconds of a step, rounded up.
const STEP: u128 = 16_666_667;

/// Largest side of a window in logical px.
const LARGEST_SIDE: f64 = 65_536.0;

/// What was performed.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Start and events.
    pub show: Show,
    /// The step with which it ended; the last event's where that is not known.
    pub end: i64,
    /// How it was recorded, where it was.
    pub shot: Option<Shot>,
}

/// How a picture was turned into frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Width and height of frames in px.
    pub size: [u32; 2],
    /// Device px per logical px.
    pub scale: f64,
    /// Frames per second as a fraction.
    pub fps: [u32; 2],
    /// Time of frame 0 in nanoseconds.
    pub start: u128,
    /// The first frame, and the one after the last; 0 for both where that is not known.
    pub frames: [u64; 2],
    /// Frames of a loop; 0 for none.
    pub loop_frames: u64,
}

/// Why a text is no take.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum TakeError {
    /// Something else altogether.
    #[error("no take: its first line is not `{FIRST_LINE}`")]
    Foreign,
    /// A line that says nothing that is known.
    #[error(
        "line {line}: {text}: not understood; it may be damaged, or of a newer version of the program"
    )]
    Line {
        /// Counted from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A value that its setting does not take.
    #[error("line {line}: {source}")]
    Value {
        /// Counted from 1.
        line: usize,
        /// The key, the value and what is allowed.
        source: SettingError,
    },
    /// No window, or events before there is one.
    #[error("line {line}: no window before it")]
    NoWindow {
        /// Counted from 1.
        line: usize,
    },
}

/// The beginning of a take: start, shot, and the events up to a step.
pub fn beginning(show: &Show, shot: Option<&Shot>, until: i64) -> String {
    let mut text = head(show, shot);
    for event in show.events().take_while(|event| event.step <= until) {
        text.push_str(&line(&event));
        text.push('\n');
    }
    text
}

/// The lines that stand before the events: start and shot.
fn head(show: &Show, shot: Option<&Shot>) -> String {
    let (settings, world) = show.first().start();
    let [width, height] = world.window;
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("{FIRST_LINE}\nprogram {version}\nwindow {width} {height}\n");
    for row in SETTINGS {
        let value = row.value(&settings);
        _ = writeln!(text, "setting {} {value}", row.name);
    }
    if let Some(shot) = shot {
        let Shot {
            size: [width, height],
            scale,
            fps: [numerator, denominator],
            start,
            frames: [first, after],
            loop_frames,
        } = shot;
        _ = writeln!(text, "shot size {width} {height}");
        _ = writeln!(text, "shot scale {scale}");
        _ = writeln!(text, "shot fps {numerator} {denominator}");
        _ = writeln!(text, "shot start {start}");
        _ = writeln!(text, "shot frames {first} {after}");
        _ = writeln!(text, "shot loop {loop_frames}");
    }
    text
}

/// The line of an event, without its end.
pub fn line(event: &Event) -> String {
    let Event { step, change } = event;
    match change {
        Change::Look(settings) => {
            let values = SETTINGS.iter();
            let values = values.map(|row| format!("{} {}", row.name, row.value(settings)));
            format!("at {step} look {}", values.collect::<Vec<_>>().join("; "))
        }
        Change::Setting(setting, value) => format!("at {step} set {} {value}", setting.name),
        Change::World(World {
            window: [width, height],
            margin,
        }) => format!("at {step} world {width} {height} {margin}"),
        Change::Budget(share) => format!("at {step} budget {share}"),
        Change::Stir(Stir {
            place: [x, y],
            velocity: [dx, dy],
        }) => format!("at {step} stir {x} {y} {dx} {dy}"),
    }
}

/// The line that ends a take with a step.
pub fn end_line(step: i64) -> String {
    format!("end {step}")
}

/// What parts of one recording have in common: a number that follows from start and shot, less which frames they are.
pub fn hash(show: &Show, shot: Option<&Shot>) -> u64 {
    hash_of(&head(show, shot))
}

/// Fowler, Noll and Vo's hash 1a of 64 bits, of all lines but those that say which frames.
fn hash_of(head: &str) -> u64 {
    let common = head
        .lines()
        .filter(|line| !line.starts_with("shot frames "));
    let bytes = common.flat_map(|line| line.bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Take {
    /// The whole take as text.
    pub fn written(&self) -> String {
        let mut text = beginning(&self.show, self.shot.as_ref(), i64::MAX);
        text.push_str(&end_line(self.end));
        text.push('\n');
        text
    }

    /// Reads a take.
    ///
    /// # Errors
    ///
    /// When a line is not understood, or holds a value that is not allowed.
    pub fn parse(text: &str) -> Result<Take, TakeError> {
        let mut lines = text.lines().zip(1..);
        if lines.next().is_none_or(|(line, _)| line != FIRST_LINE) {
            return Err(TakeError::Foreign);
        }
        let mut reader = Reader::default();
        for (text, line) in lines {
            match reader.read(text) {
                Ok(()) => (),
                Err(Fault::Line) => {
                    let text = text.to_owned();
                    return Err(TakeError::Line { line, text });
                }
                Err(Fault::NoWindow) => return Err(TakeError::NoWindow { line }),
                Err(Fault::Value(source)) => return Err(TakeError::Value { line, source }),
            }
        }
        let line = text.lines().count();
        let show = reader.begun().map_err(|_| TakeError::NoWindow { line })?;
        let show = show.clone();
        let last = show.events().last().map_or(0, |event| event.step);
        Ok(Take {
            show,
            end: reader.end.map_or(last, |end| end.max(last)),
            shot: reader.shot,
        })
    }
}

/// What is wrong with a line.
enum Fault {
    Line,
    NoWindow,
    Value(SettingError),
}

/// A take on its way from text.
#[derive(Default)]
struct Reader {
    window: Option<[f64; 2]>,
    settings: Settings,
    /// From the first event on.
    show: Option<Show>,
    shot: Option<Shot>,
    end: Option<i64>,
}

impl Reader {
    fn read(&mut self, line: &str) -> Result<(), Fault> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["program", _] => (),
            ["window", rest @ ..] if self.show.is_none() => {
                self.window = Some(window(numbers(rest)?)?);
            }
            ["setting", name, value @ ..] if self.show.is_none() => {
                let (setting, value) = setting_and_value(name, value)?;
                setting.set(&mut self.settings, value);
            }
            ["shot", rest @ ..] => self.read_shot(rest)?,
            ["at", step, rest @ ..] => {
                let step = step.parse().map_err(|_| Fault::Line)?;
                let change = change(rest)?;
                // Where an event cannot be it would be moved, and the picture be another one.
                if step > LAST_STEP || self.begun()?.push(step, change) != step {
                    return Err(Fault::Line);
                }
            }
            ["end", rest @ ..] => {
                let [step] = numbers::<i64, 1>(rest)?;
                let is_sound = (0..=LAST_STEP).contains(&step);
                self.end = Some(is_sound.then_some(step).ok_or(Fault::Line)?);
            }
            _ => return Err(Fault::Line),
        }
        Ok(())
    }

    fn read_shot(&mut self, words: &[&str]) -> Result<(), Fault> {
        let shot = self.shot.get_or_insert_with(Shot::default);
        match words {
            ["size", rest @ ..] => shot.size = numbers(rest)?,
            ["scale", rest @ ..] => [shot.scale] = numbers(rest)?,
            ["fps", rest @ ..] => shot.fps = numbers(rest)?,
            ["start", rest @ ..] => [shot.start] = numbers(rest)?,
            ["frames", rest @ ..] => shot.frames = numbers(rest)?,
            ["loop", rest @ ..] => [shot.loop_frames] = numbers(rest)?,
            _ => return Err(Fault::Line),
        }
        let is_sound = shot.size.iter().all(|&side| side > 0)
            && shot.fps.iter().all(|&part| part > 0)
            && shot.scale.is_finite()
            && shot.scale > 0.0
            && shot.start <= LAST_STEP as u128 * STEP;
        is_sound.then_some(()).ok_or(Fault::Line)
    }

    /// The show, which begins with what was read before.
    fn begun(&mut self) -> Result<&mut Show, Fault> {
        let window = self.window.ok_or(Fault::NoWindow)?;
        let settings = self.settings;
        Ok(self.show.get_or_insert_with(|| Show::new(settings, window)))
    }
}

impl Default for Shot {
    fn default() -> Shot {
        Shot {
            size: [1; 2],
            scale: 1.0,
            fps: [60, 1],
            start: 0,
            frames: [0; 2],
            loop_frames: 0,
        }
    }
}

/// Exactly so many numbers.
fn numbers<T: FromStr, const N: usize>(words: &[&str]) -> Result<[T; N], Fault> {
    let numbers: Result<Vec<T>, _> = words.iter().map(|word| word.parse()).collect();
    let numbers = numbers.map_err(|_| Fault::Line)?;
    numbers.try_into().map_err(|_| Fault::Line)
}

fn window(sides: [f64; 2]) -> Result<[f64; 2], Fault> {
    let is_sound = |side: &f64| *side > 0.0 && *side <= LARGEST_SIDE;
    if sides.iter().all(is_sound) {
        Ok(sides)
    } else {
        Err(Fault::Line)
    }
}

/// A row of the table, and a value of one word or several.
fn setting_and_value(name: &str, words: &[&str]) -> Result<(&'static Setting, Value), Fault> {
    let setting = setting(name).ok_or(Fault::Line)?;
    if words.is_empty() {
        return Err(Fault::Line);
    }
    let value = setting.parse(&words.join(" ")).map_err(Fault::Value)?;
    Ok((setting, value))
}

/// What a line says after its step.
fn change(words: &[&str]) -> Result<Change, Fault> {
    match words {
        ["look", rest @ ..] => {
            let mut settings = Settings::default();
            for words in rest.join(" ").split("; ") {
                let words: Vec<&str> = words.split(' ').collect();
                let (name, value) = words.split_first().ok_or(Fault::Line)?;
                let (setting, value) = setting_and_value(name, value)?;
                setting.set(&mut settings, value);
            }
            Ok(Change::Look(Box::new(settings)))
        }
        ["set", name, value @ ..] => {
            let (setting, value) = setting_and_value(name, value)?;
            Ok(Change::Setting(setting, value))
        }
        ["world", width, height, margin] => {
            let window = window(numbers(&[width, height])?)?;
            let [margin] = numbers(&[margin])?;
            let is_sound = (0.0..=window[0].min(window[1])).contains(&margin);
            let world = World { window, margin };
            is_sound.then_some(Change::World(world)).ok_or(Fault::Line)
        }
        ["budget", share] => {
            let [share] = numbers(&[share])?;
            let is_sound = (0.0..=1.0).contains(&share);
            is_sound.then_some(Change::Budget(share)).ok_or(Fault::Line)
        }
        ["stir", rest @ ..] => {
            let [x, y, dx, dy] = numbers::<f32, 4>(rest)?;
            let stir = Stir {
                place: [x, y],
                velocity: [dx, dy],
            };
            let is_sound = [x, y, dx, dy].iter().all(|number| number.is_finite());
            is_sound.then_some(Change::Stir(stir)).ok_or(Fault::Line)
        }
        _ => Err(Fault::Line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::preset::Preset;

    const COSINES: &str = "cosine 0.1 0.2 0.3333333333333333 1 1 1 -1 2 3 4 5 6";

    fn performed() -> Show {
        let mut settings = Preset::load("water").unwrap().settings;
        let tiny = Value::Number(0.000_012_345_678_9);
        setting("noise_scale").unwrap().set(&mut settings, tiny);
        let palette = setting("palette").unwrap();
        palette.set(&mut settings, palette.parse("#010203 #fffefd").unwrap());
        let mut timeline = Show::new(settings, [1280.0, 719.5]);
        let number =
            |name: &str, value: f64| Change::Setting(setting(name).unwrap(), Value::Number(value));
        timeline.push(5, number("turns", 1.0 / 3.0));
        timeline.push(5, number("hue", 12.0));
        let color = setting("background").unwrap().parse("#a0b1c2").unwrap();
        timeline.push(9, Change::Setting(setting("background").unwrap(), color));
        let palette = setting("palette").unwrap();
        for text in ["oklch periodic #a0b1c2 #d3e4f5", "embers", COSINES] {
            let value = palette.parse(text).unwrap();
            timeline.push(9, Change::Setting(palette, value));
        }
        for step in [5, 8, 9] {
            let stir = Stir {
                place: [0.1, -3.75],
                velocity: [1e-7, 33.3],
            };
            timeline.push(step, Change::Stir(stir));
        }
        let world = World::new([801.0, 600.25], timeline.last().latest_settings());
        timeline.push(70, Change::World(world));
        timeline.push(71, Change::Budget(0.7));
        timeline.settle(1000);
        let look = Preset::load("ink").unwrap().settings;
        timeline.push(1100, Change::Look(Box::new(look)));
        timeline.push(1150, Change::Budget(0.6));
        timeline
    }

    fn take() -> Take {
        Take {
            show: performed(),
            end: 2000,
            shot: Some(Shot {
                size: [3840, 2160],
                scale: 1.5,
                fps: [24_000, 1001],
                start: 1_500_000_000,
                frames: [30, 90],
                loop_frames: 0,
            }),
        }
    }

    #[test]
    fn a_take_reads_back_to_the_same_timeline() {
        let take = take();
        assert_eq!(Take::parse(&take.written()), Ok(take.clone()));
        let plain = Take { shot: None, ..take };
        assert_eq!(Take::parse(&plain.written()), Ok(plain));
    }

    #[test]
    fn a_take_that_was_cut_off_is_the_picture_up_to_there() {
        let text = take().written();
        let lines: Vec<&str> = text.lines().collect();
        let events = lines
            .iter()
            .position(|line| line.starts_with("at "))
            .unwrap();
        for count in events..lines.len() {
            let cut = Take::parse(&lines[..count].join("\n")).unwrap();
            assert_eq!(cut.show.events().count(), count - events);
            assert_eq!(
                cut.end,
                cut.show.events().last().map_or(0, |event| event.step)
            );
        }
        assert_eq!(
            Take::parse(FIRST_LINE),
            Err(TakeError::NoWindow { line: 1 })
        );
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        let base = format!("{FIRST_LINE}\nwindow 100 100\nat 10 budget 0.5\n");
        assert!(Take::parse(&base).is_ok());
        assert_eq!(Take::parse("PNG"), Err(TakeError::Foreign));
        assert_eq!(Take::parse(""), Err(TakeError::Foreign));
        for wrong in [
            "x",
            " ",
            "at",
            "at 9 budget 0.5",
            "at 0 budget 1",
            "at 10 budget 1.5",
            "at 10 budget nan",
            "at 10 budget",
            "at ten budget 1",
            "at 10 set fade",
            "at 10 set fate 1",
            "at 10 world 0 5 0",
            "at 10 world 5 inf 0",
            "at 10 world 5 5 9",
            "at 10 world 5 1e9 0",
            "at 10 stir 1 2 3",
            "at 10 stir 1 2 3 inf",
            "at 9000000000000 budget 1",
            "setting seed 1",
            "end -1",
            "end 1 2",
            "window 1",
            "window -1 1",
            "window 5 5",
            "shot size 0 1",
            "shot scale 0",
            "shot scale nan",
            "shot fps 1 0",
            "shot who",
            "window 1 2 3",
        ] {
            let error = Take::parse(&format!("{base}{wrong}")).unwrap_err();
            let text = wrong.to_owned();
            assert_eq!(error, TakeError::Line { line: 4, text });
        }
        let error = Take::parse(&format!("{FIRST_LINE}\nsetting fade 7\n")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: fade = 7: allowed is 0.002 to 0.9 per step"
        );
        let error = Take::parse(&format!("{FIRST_LINE}\nat 1 budget 1\n")).unwrap_err();
        assert_eq!(error, TakeError::NoWindow { line: 2 });
    }

    #[test]
    fn parts_of_one_recording_have_one_hash() {
        let timeline = performed();
        let shot = take().shot.unwrap();
        let of = |show: &Show, shot: Shot| hash(show, Some(&shot));
        let other = Shot {
            frames: [90, 120],
            ..shot
        };
        assert_eq!(of(&timeline, shot), of(&timeline, other));
        let other = Shot { start: 1, ..shot };
        assert_ne!(of(&timeline, shot), of(&timeline, other));
        // Published values of no byte, and of "foobar" less what the line's end adds.
        assert_eq!(hash_of(""), 0xcbf2_9ce4_8422_2325);
        let foobar: u64 = 0x8594_4171_f739_67e8;
        assert_eq!(
            hash_of("foobar"),
            (foobar ^ 10).wrapping_mul(0x0100_0000_01b3)
        );
    }
}
