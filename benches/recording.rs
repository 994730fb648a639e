//! What formats of many frames cost on all processors, without painting: frames per second of CPU time, and their size.
//!
//! CPU time counts what waits for memory, too: compare the rows of one run with each other.

use std::fs::File;
use std::hint::black_box;

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::command::process::cpu_time;
use eddyline::picture::{Picture, extent};
use eddyline::pool::Pool;
use eddyline::record::apng::Apng;
use eddyline::record::film::{self, Film};
use eddyline::record::gif::{self, Gif};
use eddyline::record::y4m::Y4m;
use eddyline::record::{Frame, Pixels, Recording};
use eddyline::settings::preset::Preset;
use eddyline::timeline::Timeline;

/// Each format is tried so often, in turns; the fastest counts.
const ROUNDS: usize = 3;

/// Frames per second.
const FPS: [u32; 2] = [60, 1];

/// Makes a recording of this size into a file without a name.
type Begin = fn([u32; 2]) -> Box<dyn Recording>;

const FORMATS: [(&str, Begin); 4] = [("mp4", mp4), ("gif", gif), ("apng", apng), ("y4m", y4m)];

fn main() {
    for (size, count) in [([1280, 720], 120), ([1920, 1080], 60)] {
        let frames = painted(size, count);
        println!(
            "\n{}x{}, preset original, {} frames",
            size[0],
            size[1],
            frames.len()
        );
        let mut best = [(0.0, 0); FORMATS.len()];
        for _ in 0..ROUNDS {
            for (best, &(_, begin)) in best.iter_mut().zip(&FORMATS) {
                let (rate, bytes) = record(begin(size), size, &frames);
                *best = (f64::max(best.0, rate), bytes);
            }
        }
        for ((name, _), (rate, bytes)) in FORMATS.iter().zip(best) {
            let kilobytes = bytes as f64 / 1000.0 / frames.len() as f64;
            println!("  {name:4} {rate:8.1} frames per CPU second  {kilobytes:8.1} kB a frame");
        }
    }
}

/// Frames of the water in full flow, a step apart.
fn painted(size: [u32; 2], count: i64) -> Vec<Vec<u8>> {
    let window = size.map(f64::from);
    let settings = Preset::load("original").expect("it is embedded").settings;
    let pool = Pool::new(2).expect("threads start");
    let mut canvas = CpuCanvas::new(extent(window, 1.0), pool.clone());
    let mut picture = Picture::new(Timeline::new(settings, window), pool);
    picture.warm(&mut canvas, 300);
    (1..=count)
        .map(|frame| {
            picture.advance(&mut canvas, 300 + frame);
            picture.present(&mut canvas, 0.0);
            canvas.pixels().to_vec()
        })
        .collect()
}

/// Frames per CPU second, and bytes of the whole file.
fn record(mut recording: Box<dyn Recording>, size: [u32; 2], frames: &[Vec<u8>]) -> (f64, u64) {
    let before = cpu_time();
    for rgba in frames {
        let [width, height] = size;
        let pixels = Pixels {
            width,
            height,
            rgba,
        };
        recording
            .push(Frame::Codes(pixels))
            .expect("it has this size");
    }
    let bytes = black_box(recording.finish()).expect("nothing fills up");
    (
        frames.len() as f64 / (cpu_time() - before).as_secs_f64(),
        bytes,
    )
}

fn scratch() -> File {
    tempfile::tempfile().expect("there is a folder for such files")
}

fn mp4([width, height]: [u32; 2]) -> Box<dyn Recording> {
    let options = film::Options {
        width,
        height,
        fps: FPS,
        jobs: 2,
        first_frame: 0,
        take: String::new(),
        take_hash: 0,
        level: Pool::single().level(),
    };
    Box::new(Film::begin(scratch(), &options).expect("threads start"))
}

fn gif(size: [u32; 2]) -> Box<dyn Recording> {
    let options = gif::Options {
        size,
        delay: gif::nearest_delay(FPS),
        plays: 0,
        take: String::new(),
        jobs: 2,
    };
    Box::new(Gif::begin(scratch(), options).expect("threads start"))
}

fn apng(size: [u32; 2]) -> Box<dyn Recording> {
    Box::new(Apng::begin(scratch(), size, FPS, 0, "", 2).expect("threads start"))
}

fn y4m(size: [u32; 2]) -> Box<dyn Recording> {
    Box::new(Y4m::start(scratch(), size, FPS, Pool::single().level()).expect("it is writable"))
}
