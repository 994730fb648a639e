//! The file of hashes: read, compared with what was made, and written anew.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use eddyline::record::{Frame, Pixels, png};

use super::titles;

/// Tests run side by side and write one file.
static FILE: Mutex<()> = Mutex::new(());

/// What stands above the lines.
const HEAD: &str = "\
# What every look and every film is: name, moment, and the hash of its pixels or bytes.
# `BLESS=1 cargo test golden` writes this file; the commit says why pictures changed.
";

/// A picture or a film that was made now.
#[derive(Clone)]
pub struct Made {
    /// Its name and moment, as [`title`] writes them.
    pub title: String,
    /// What its hash is.
    pub hash: u64,
    /// What there is to be looked at.
    pub content: Content,
}

/// What somebody looks at who wants to know what has changed.
#[derive(Clone)]
pub enum Content {
    /// Width and height in px, and RGBA.
    Picture([u32; 2], Vec<u8>),
    /// The ending of a file's name, and the file.
    File(&'static str, Vec<u8>),
}

/// The beginning of a line.
pub fn title(name: &str, moment: &str) -> String {
    format!("{name:<20} {moment:<8}")
}

/// Fowler, Noll and Vo's hash 1a of 64 bits.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Made {
    /// A picture as a canvas shows it: its pixels are hashed.
    pub fn picture(title: String, size: [u32; 2], rgba: &[u8]) -> Made {
        Made {
            title,
            hash: hash(rgba),
            content: Content::Picture(size, rgba.to_vec()),
        }
    }

    /// Puts it where it can be looked at; returns the file's name.
    fn keep(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
        fs::create_dir_all(&folder).unwrap();
        let name = self.title.split_whitespace().collect::<Vec<_>>().join("-");
        match &self.content {
            Content::Picture([width, height], rgba) => {
                let path = folder.join(format!("{name}.png"));
                let (width, height) = (*width, *height);
                let pixels = Pixels {
                    width,
                    height,
                    rgba,
                };
                let file = fs::File::create(&path).unwrap();
                png::save(file, Frame::Codes(pixels), None, "").unwrap();
                path
            }
            Content::File(ending, bytes) => {
                let path = folder.join(format!("{name}.{ending}"));
                fs::write(&path, bytes).unwrap();
                path
            }
        }
    }
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden.txt")
}

fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// The lines of the file, each as its title and its hash.
fn lines() -> Vec<(String, String)> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (title, hash) = line.rsplit_once(' ').unwrap();
            (title.to_owned(), hash.to_owned())
        })
        .collect()
}

/// The hash that stands beside a title.
fn known<'a>(lines: &'a [(String, String)], title: &str) -> Option<&'a str> {
    let line = lines.iter().find(|(known, _)| known == title);
    line.map(|(_, hash)| hash.as_str())
}

/// Writes the hashes of `made`, leaves the others as they are, and drops what is in no list any more.
fn write(made: &[Made]) {
    let before = lines();
    let mut text = HEAD.to_owned();
    for title in titles() {
        let new = made.iter().find(|made| made.title == title);
        let new = new.map(|made| format!("{:016x}", made.hash));
        let old = || known(&before, &title).map(str::to_owned);
        if let Some(hash) = new.or_else(old) {
            writeln!(text, "{title} {hash}").unwrap();
        }
    }
    fs::write(path(), text).unwrap();
}

/// Compares what was made with the file, or writes the file.
pub fn check(made: &[Made]) {
    let _held = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    if is_blessed() {
        return write(made);
    }
    let lines = lines();
    let mut changed = Vec::new();
    for made in made {
        let new = format!("{:016x}", made.hash);
        let title = made.title.trim_end();
        match known(&lines, &made.title) {
            Some(old) if old == new => (),
            Some(old) => {
                let kept = made.keep();
                changed.push(format!(
                    "{title} is {new} and was {old}: {}",
                    kept.display()
                ));
            }
            None => changed.push(format!("{title} is {new} and has no line")),
        }
    }
    assert!(
        changed.is_empty(),
        "{} of {} are not what they were:\n{}\nlook at them; if they are meant to be so, \
         `BLESS=1 cargo test golden` writes tests/data/golden.txt, and the commit says why",
        changed.len(),
        made.len(),
        changed.join("\n")
    );
}

/// Checks that the lines of the file are those of `titles`, or drops the others.
pub fn check_titles(titles: &[String]) {
    let _held = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    if is_blessed() {
        return write(&[]);
    }
    let lines: Vec<String> = lines().into_iter().map(|(title, _)| title).collect();
    let lacking = |all: &[String], some: &[String]| -> Vec<String> {
        let missing = all.iter().filter(|title| !some.contains(title));
        missing.map(|title| title.trim_end().to_owned()).collect()
    };
    let (new, gone) = (lacking(titles, &lines), lacking(&lines, titles));
    assert!(
        new.is_empty() && gone.is_empty() && lines.len() == titles.len(),
        "tests/data/golden.txt lacks {new:?}, and has lines for {gone:?}, which there are not; \
         `BLESS=1 cargo test golden` writes it"
    );
}
