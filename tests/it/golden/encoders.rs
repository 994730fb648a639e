//! The bytes that each encoder of the program makes of the same frames.
//!
//! The frames are computed here, with what is hard for encoders: slopes, an edge that moves, and grain.

use std::fs;
use std::io::Cursor;

use eddyline::hash::lowbias32;
use eddyline::record::apng::Apng;
use eddyline::record::film::{self, Film};
use eddyline::record::gif::{self, Gif};
use eddyline::record::svg::{Line, Page, Plot};
use eddyline::record::y4m::Y4m;
use eddyline::record::{Frame, Pixels, Recording};
use eddyline::simd::Level;
use glam::Vec2;

use super::ledger::{self, Content, Made, hash, title};
use crate::commands::folder;

/// Name and moment of each line.
pub const TITLES: &[(&str, &str)] = &[
    ("mp4", FRAMES),
    ("gif", FRAMES),
    ("apng", FRAMES),
    ("y4m", FRAMES),
    ("svg", "0"),
];
const FRAMES: &str = "0..18";

const SIZE: [u32; 2] = [96, 64];
const FPS: [u32; 2] = [24, 1];

/// How the films say that they were made.
const TAKE: &str = "eddyline-take 1\nwindow 96 64\n";

fn check(name: &str, moment: &str, hashed: &[u8], bytes: Vec<u8>) {
    let ending = TITLES.iter().find(|(known, _)| *known == name).unwrap().0;
    let made = Made {
        title: title(name, moment),
        hash: hash(hashed),
        content: Content::File(ending, bytes),
    };
    ledger::check(&[made]);
}

/// Three quarters of a second of film: two groups of pictures.
fn push_all(mut film: Box<dyn Recording>) {
    for number in 0..18 {
        let [width, height] = SIZE;
        let rgba: Vec<u8> = (0..width * height)
            .flat_map(|at| pixel(at % width, at / width, number))
            .collect();
        let rgba = &rgba;
        film.push(Frame::Codes(Pixels {
            width,
            height,
            rgba,
        }))
        .unwrap();
    }
    film.finish().unwrap();
}

/// A slope in red and one in green, a blue bar that moves to the left by three px a frame, and grain where it is not.
fn pixel(x: u32, y: u32, number: u32) -> [u8; 4] {
    let grain = lowbias32(x + 1000 * y + 1_000_000 * number) % 8;
    let is_in_bar = (x + 3 * number) % 48 < 9;
    let blue = if is_in_bar { 230 } else { 20 + grain };
    [x * 2 + grain, y * 3 + number, blue, 255].map(|code| code as u8)
}

/// The program's version stands in the file; it is left out, but a longer one makes boxes longer.
#[test]
fn mp4_is_what_it_was() {
    let folder = folder();
    let path = folder.path().join("a.mp4");
    let options = film::Options {
        width: SIZE[0],
        height: SIZE[1],
        fps: FPS,
        jobs: 2,
        first_frame: 0,
        take: TAKE.to_owned(),
        take_hash: 7,
        level: Level::best(),
    };
    let film = Film::begin(fs::File::create(&path).unwrap(), &options).unwrap();
    push_all(Box::new(film));
    let bytes = fs::read(&path).unwrap();
    check("mp4", FRAMES, &without_version(&bytes), bytes);
}

/// A film less the version of the program wherever it stands, at least once.
fn without_version(film: &[u8]) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let (mut left, mut rest) = (Vec::new(), film);
    while let Some((&first, after)) = rest.split_first() {
        match rest.strip_prefix(version) {
            Some(after) => rest = after,
            None => {
                left.push(first);
                rest = after;
            }
        }
    }
    assert!(left.len() < film.len(), "no version in the film");
    left
}

#[test]
fn gif_is_what_it_was() {
    let folder = folder();
    let path = folder.path().join("a.gif");
    let options = gif::Options {
        size: SIZE,
        delay: gif::nearest_delay(FPS),
        plays: 0,
        take: TAKE.to_owned(),
        jobs: 2,
    };
    let film = Gif::begin(fs::File::create(&path).unwrap(), options).unwrap();
    push_all(Box::new(film));
    let bytes = fs::read(&path).unwrap();
    check("gif", FRAMES, &bytes, bytes.clone());
}

#[test]
fn apng_is_what_it_was() {
    let folder = folder();
    let path = folder.path().join("a.apng");
    let film = Apng::begin(fs::File::create(&path).unwrap(), SIZE, FPS, 0, TAKE, 2).unwrap();
    push_all(Box::new(film));
    let bytes = fs::read(&path).unwrap();
    check("apng", FRAMES, &bytes, bytes.clone());
}

#[test]
fn y4m_is_what_it_was() {
    let folder = folder();
    let path = folder.path().join("a.y4m");
    let film = Y4m::start(fs::File::create(&path).unwrap(), SIZE, FPS, Level::best()).unwrap();
    push_all(Box::new(film));
    let bytes = fs::read(&path).unwrap();
    check("y4m", FRAMES, &bytes, bytes.clone());
}

/// Arcs that cross each other, some of which leave the paper.
#[test]
fn svg_is_what_it_was() {
    let arcs: Vec<Vec<Vec2>> = (0..24u8)
        .map(|arc| {
            let along = |part: u8| f32::from(part) / 32.0;
            let place =
                |x: f32| Vec2::new(f32::from(arc) * 9.0 - 60.0 + 160.0 * x * x, 100.0 * x - 4.0);
            (0..=32).map(|part| place(along(part))).collect()
        })
        .collect();
    let lines = arcs.iter().zip(0u8..).map(|(points, arc)| Line {
        value: f32::from(arc) / 24.0,
        points,
    });
    let page = Page {
        window: [160.0, 90.0],
        paper: [210.0, 148.0],
        margin: 10.0,
        pen_width: 0.3,
        pens: &[[3, 18, 26], [0, 160, 200], [240, 200, 40]],
        title: "arcs",
        description: "Arcs that cross each other",
        take: TAKE,
    };
    let mut bytes = Cursor::new(Vec::new());
    Plot::new(page, lines).unwrap().write(&mut bytes).unwrap();
    check("svg", "0", bytes.get_ref(), bytes.get_ref().clone());
}
