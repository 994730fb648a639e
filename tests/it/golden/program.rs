//! What the program renders, from the command line to the pixels in a file.
//!
//! The look is the settings' own defaults, whatever the presets are. Files say how they were made, with every setting and the
//! program's version, so pixels are hashed; only Y4M says nothing and is hashed as it is.

use std::fs;
use std::path::Path;

use eddyline::settings::{Settings, preset};

use super::ledger::{self, Content, Made, hash, title};
use crate::commands::{folder, succeed};
use crate::recording::pixels;

/// Name and moment of each line.
pub const TITLES: &[(&str, &str)] = &[VIDEO, PICTURES, STILL];
const VIDEO: (&str, &str) = ("render-y4m", "0..12");
const PICTURES: (&str, &str) = ("render-png", "0..6");
const STILL: (&str, &str) = ("render-png-16-bit", "120");

/// Runs `render` in a folder that holds the defaults as a preset.
fn render(folder: &Path, line: &str) -> Vec<u8> {
    let settings = preset::written(&Settings::default());
    fs::write(folder.join("plain.toml"), settings).unwrap();
    let line = format!("render {line} --size 160x90 --preset plain.toml --fade 0.05 --quiet");
    succeed(folder, &line)
}

fn check((name, moment): (&str, &str), hashed: &[u8], content: Content) {
    let (title, hash) = (title(name, moment), hash(hashed));
    ledger::check(&[Made {
        title,
        hash,
        content,
    }]);
}

#[test]
fn a_video_for_a_pipe_is_what_it_was() {
    let video = render(folder().path(), "- --fps 24 --seconds 0.5");
    check(VIDEO, &video, Content::File("y4m", video.clone()));
}

/// All pictures in one hash, and the last of them to be looked at.
#[test]
fn numbered_pictures_are_what_they_were() {
    let folder = folder();
    render(folder.path(), "%d.png --fps 24 --seconds 0.25");
    let path = |number: u32| folder.path().join(format!("{number}.png"));
    let all: Vec<u8> = (0..6).flat_map(|number| pixels(&path(number))).collect();
    check(
        PICTURES,
        &all,
        Content::File("png", fs::read(path(5)).unwrap()),
    );
}

/// Painted twice as fine and averaged over moments, too: that happens in front of every kind of file.
#[test]
fn a_still_of_16_bits_is_what_it_was() {
    let folder = folder();
    let fine = "--supersample 2 --motion-blur 3 --fps 24";
    render(folder.path(), &format!("a.png --depth 16 --at 2s {fine}"));
    let path = folder.path().join("a.png");
    check(
        STILL,
        &pixels(&path),
        Content::File("png", fs::read(&path).unwrap()),
    );
}
