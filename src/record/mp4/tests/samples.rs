//! Real frames, and what ffmpeg makes of files of them.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use rusty_h264_common::nal::split_annex_b;
use rusty_h264_common::{Profile, YuvFrame};
use rusty_h264_encoder::{Encoder, EncoderConfig, Preset};

use super::super::{Header, Storage, Writer};

pub const WIDTH: usize = 64;
pub const HEIGHT: usize = 48;
pub const GOP: usize = 4;

/// Frames that were encoded, group by group, the last of which is shorter.
pub struct Encoded {
    pub sps: Vec<u8>,
    pub pps: Vec<u8>,
    pub gops: Vec<Vec<Vec<u8>>>,
}

impl Encoded {
    pub fn header(&self, fps: [u32; 2], first_frame: u64) -> Header {
        Header {
            width: WIDTH as u32,
            height: HEIGHT as u32,
            fps,
            gop: GOP as u32,
            sps: self.sps.clone(),
            pps: self.pps.clone(),
            first_frame,
            take: "eddyline-take 1\nsize = 64x48\nnote = \"b\u{00e4}che\"\n".to_owned(),
            take_hash: 0x0123_4567_89ab_cdef,
        }
    }
}

/// The frames of all tests: five groups of four, and one of three.
pub fn encoded() -> &'static Encoded {
    static ENCODED: OnceLock<Encoded> = OnceLock::new();
    ENCODED.get_or_init(|| {
        let frames: Vec<usize> = (0..23).collect();
        let mut all = Encoded {
            sps: Vec::new(),
            pps: Vec::new(),
            gops: Vec::new(),
        };
        for group in frames.chunks(GOP) {
            let mut encoder = Encoder::new(configuration()).unwrap();
            let mut samples = Vec::new();
            for &frame in group {
                let mut stream = encoder.encode(&picture(frame));
                stream.extend(encoder.flush());
                samples.push(all.sample(&stream));
            }
            all.gops.push(samples);
        }
        all
    })
}

fn configuration() -> EncoderConfig {
    let mut configuration = EncoderConfig::new(WIDTH, HEIGHT);
    configuration.profile = Profile::High;
    configuration.level_idc = 42;
    configuration.qp = 20;
    configuration.gop_size = GOP as u32;
    configuration.preset = Preset::Fast;
    configuration.cabac = false;
    configuration.num_ref_frames = 1;
    configuration.mbtree = false;
    configuration.scenecut = 0;
    configuration.bitrate = 0;
    configuration
}

/// Bright and dark places that wander, so that no two frames are equal.
fn picture(frame: usize) -> YuvFrame {
    let plane = |width: usize, height: usize, speed: usize| {
        let code = |x: usize, y: usize| {
            let place = (x * 5 + y * 3 + frame * speed) % 200;
            (20 + place.min(200 - place) * 2) as u8
        };
        (0..width * height)
            .map(|index| code(index % width, index / width))
            .collect()
    };
    YuvFrame {
        width: WIDTH,
        height: HEIGHT,
        y: plane(WIDTH, HEIGHT, 11),
        u: plane(WIDTH / 2, HEIGHT / 2, 3),
        v: plane(WIDTH / 2, HEIGHT / 2, 7),
    }
}

impl Encoded {
    /// One frame's NAL units behind their lengths, less the parameter sets, which are kept.
    fn sample(&mut self, stream: &[u8]) -> Vec<u8> {
        let mut sample = Vec::new();
        for unit in split_annex_b(stream) {
            match unit[0] & 31 {
                7 => self.sps = unit.to_vec(),
                8 => self.pps = unit.to_vec(),
                _ => {
                    sample.extend((unit.len() as u32).to_be_bytes());
                    sample.extend(unit);
                }
            }
        }
        sample
    }
}

/// What happened during a group of the test's frames: nothing during every third.
pub fn events(group: usize) -> String {
    match group % 3 {
        2 => String::new(),
        _ => format!("{} noise_scale = 0.00{group}\n", group * GOP),
    }
}

/// A file under way with groups of the test's frames.
pub fn begun<S: Storage>(storage: S, fps: [u32; 2], groups: Range<usize>) -> Writer<S> {
    let encoded = encoded();
    let header = encoded.header(fps, (groups.start * GOP) as u64);
    let mut writer = Writer::create(storage, header).unwrap();
    for group in groups {
        writer
            .fragment(&encoded.gops[group], &events(group))
            .unwrap();
    }
    writer
}

/// Writes a finished file.
pub fn write(path: &Path, fps: [u32; 2], groups: Range<usize>) {
    let file = File::create(path).unwrap();
    let bytes = begun(file, fps, groups).finish().unwrap();
    assert_eq!(bytes, path.metadata().unwrap().len());
}

/// What a program says of a file, which the argument `FILE` stands for. None where the program is not installed, which is
/// a failure only where every change is checked.
pub fn run(program: &str, arguments: &[&str], file: &Path) -> Option<Output> {
    let mut command = Command::new(program);
    for &argument in arguments {
        match argument {
            "FILE" => command.arg(file),
            _ => command.arg(argument),
        };
    }
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{error}");
            println!("{program} is missing: not checked");
            None
        }
    }
}

/// A hash of each frame that ffmpeg decodes, and what it complains about.
pub fn decoded(file: &Path) -> Option<(Vec<String>, String)> {
    let arguments = ["-v", "error", "-i", "FILE", "-f", "framemd5", "-"];
    let output = run("ffmpeg", &arguments, file)?;
    let lines = String::from_utf8(output.stdout).unwrap();
    let hashes = lines
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit(", ").next().unwrap().to_owned())
        .collect();
    Some((hashes, String::from_utf8(output.stderr).unwrap()))
}

/// The hashes of all of the test's frames.
pub fn hashes() -> Option<&'static [String]> {
    static HASHES: OnceLock<Option<Vec<String>>> = OnceLock::new();
    let hashes = HASHES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("all.mp4");
        write(&file, [60, 1], 0..6);
        decoded(&file).map(|(hashes, _)| hashes)
    });
    hashes.as_deref()
}

/// That a file decodes to so many of the test's first frames, without a complaint.
pub fn assert_plays(file: &Path, frames: usize) {
    if let (Some((found, complaints)), Some(hashes)) = (decoded(file), hashes()) {
        assert_eq!(complaints, "", "{}", file.display());
        assert_eq!(found, hashes[..frames], "{}", file.display());
    }
}
