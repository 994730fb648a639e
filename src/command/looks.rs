//! Looks that follow one another: those that the keys go through, and those of a slideshow.

use std::path::Path;

use crate::settings::Settings;
use crate::settings::preset::{self, Preset, PresetError};
use crate::timeline::{Change, Show};

/// Most looks of a slideshow that is rendered.
const MOST: usize = 2000;

/// Looks, in a circle.
#[derive(Clone, Debug)]
pub struct Looks {
    looks: Vec<(String, Settings)>,
}

/// One look after another.
#[derive(Clone, Debug)]
pub struct Slideshow {
    looks: Looks,
    /// Steps from one to the next; nothing where none follows by itself.
    every: Option<i64>,
    /// The look before the first that follows; nothing where that is none of the looks.
    start: Option<usize>,
}

impl Looks {
    /// Every look that the program carries with it, and those that the user saved.
    pub fn all(folder: Option<&Path>) -> Looks {
        let own = folder.map(preset::names_in).unwrap_or_default();
        let embedded = preset::EMBEDDED.iter().map(|(name, _)| (*name).to_owned());
        let looks = embedded.chain(own).filter_map(|name| {
            // A file of the user's that is damaged is no look; whoever names it hears why.
            let look = Preset::find(&name, folder).ok()?;
            Some((name, look.settings))
        });
        Looks {
            looks: looks.collect(),
        }
    }

    /// Those of these names, at least one.
    ///
    /// # Errors
    ///
    /// When one of them is no preset.
    pub fn named<'a>(
        names: impl Iterator<Item = &'a str>,
        folder: Option<&Path>,
    ) -> Result<Looks, PresetError> {
        let look = |name: &str| Ok((name.to_owned(), Preset::find(name, folder)?.settings));
        let looks: Result<_, _> = names.map(look).collect();
        Ok(Looks { looks: looks? })
    }

    /// The name of a look.
    pub fn name(&self, number: usize) -> &str {
        &self.looks[number].0
    }

    /// Its settings in the place of these, which keep their seed and what belongs to no look.
    pub fn settings(&self, number: usize, before: &Settings) -> Settings {
        before.with_look(&self.looks[number].1)
    }

    /// Which of them these settings are.
    pub fn number_of(&self, settings: &Settings) -> Option<usize> {
        (0..self.looks.len()).find(|&number| self.settings(number, settings) == *settings)
    }

    /// So many looks further on from a look, or back; from none, the first or the last.
    pub fn beside(&self, from: Option<usize>, turns: i64) -> usize {
        let count = self.looks.len() as i64;
        let from = match from {
            Some(from) => from as i64,
            None if turns > 0 => -1,
            None => 0,
        };
        (from + turns).rem_euclid(count) as usize
    }
}

impl Slideshow {
    /// After these settings all looks, each for so many steps, at least one; or when somebody asks for them.
    pub fn new(looks: Looks, start: &Settings, every: Option<i64>) -> Slideshow {
        let start = looks.number_of(start);
        Slideshow {
            looks,
            every: every.map(|every| every.max(1)),
            start,
        }
    }

    /// The looks.
    pub fn looks(&self) -> &Looks {
        &self.looks
    }

    /// The first change after `step`, and the look that comes then.
    pub fn next_after(&self, step: i64) -> Option<(i64, usize)> {
        let every = self.every?;
        let number = step.div_euclid(every) + 1;
        Some((number * every, self.looks.beside(self.start, number)))
    }

    /// Appends all changes up to a step.
    ///
    /// # Errors
    ///
    /// When there would be too many.
    pub fn extend(&self, show: &mut Show, until: i64) -> Result<(), TooMany> {
        let changes = std::iter::successors(self.next_after(0), |(step, _)| self.next_after(*step));
        for (number, (step, look)) in changes.take_while(|(step, _)| *step <= until).enumerate() {
            if number == MOST {
                return Err(TooMany);
            }
            let settings = self.looks.settings(look, show.last().latest_settings());
            show.push(step, Change::Look(Box::new(settings)));
        }
        Ok(())
    }
}

/// A slideshow with more looks than can be.
#[derive(Debug, thiserror::Error)]
#[error("more than {MOST} looks up to there; allowed is a longer time for each")]
pub struct TooMany;

#[cfg(test)]
mod tests {
    use super::*;

    fn looks() -> Looks {
        Looks::named(["mono", "neon", "ink"].into_iter(), None).unwrap()
    }

    fn preset(name: &str) -> Settings {
        Preset::load(name).unwrap().settings
    }

    #[test]
    fn looks_follow_one_another_in_a_circle() {
        let looks = looks();
        assert_eq!(looks.number_of(&preset("neon")), Some(1));
        assert_eq!(looks.number_of(&preset("silk")), None);
        assert_eq!(
            [1, 2, -1].map(|turns| looks.beside(Some(1), turns)),
            [2, 0, 0]
        );
        assert_eq!([1, -1].map(|turns| looks.beside(None, turns)), [0, 2]);
    }

    /// What belongs to the window and to whoever sits before it stays, and so does the seed.
    #[test]
    fn a_look_leaves_alone_what_is_none_of_it() {
        let mut settings = preset("water");
        for (name, text) in [
            ("seed", "77"),
            ("calm", "on"),
            ("fps", "25"),
            ("speed", "9"),
        ] {
            let row = crate::settings::setting(name).unwrap();
            row.set(&mut settings, row.parse(text).unwrap());
        }
        let next = looks().settings(2, &settings);
        assert_eq!((next.seed(), next.fps()), (77, 25.0));
        assert_eq!(next.calm(), settings.calm());
        assert_eq!(next.speed(), preset("ink").speed());
    }

    #[test]
    fn a_slideshow_changes_at_multiples_of_its_time() {
        let start = preset("neon");
        let slides = Slideshow::new(looks(), &start, Some(600));
        assert_eq!(slides.next_after(0), Some((600, 2)));
        assert_eq!(slides.next_after(599), Some((600, 2)));
        assert_eq!(slides.next_after(600), Some((1200, 0)));
        let mut show = Show::new(start, [300.0, 200.0]);
        slides.extend(&mut show, 1900).unwrap();
        let steps: Vec<i64> = show.events().map(|event| event.step).collect();
        assert_eq!(steps, [600, 1200, 1800]);
        assert_eq!(
            show.last().latest_settings().noise_scale(),
            preset("neon").noise_scale()
        );
        assert!(slides.extend(&mut show, 600 * (MOST as i64 + 1)).is_err());
    }

    /// A file of the user's that is no preset is left out.
    #[test]
    fn saved_looks_are_among_all() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("evening.toml", "speed = 3\n");
        write("broken.toml", "speed = \n");
        let all = Looks::all(Some(folder.path()));
        let names: Vec<&str> = (0..all.looks.len())
            .map(|number| all.name(number))
            .collect();
        assert_eq!(names.last(), Some(&"evening"));
        assert_eq!(names.len(), preset::EMBEDDED.len() + 1);
    }
}
