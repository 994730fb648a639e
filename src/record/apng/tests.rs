use std::fs;
use std::io::Cursor;
use std::process::Command;
use std::sync::{Arc, Mutex};

use super::*;
use crate::record::{DeepPixels, png};

const TAKE: &str = "eddyline-take 1\nseed = 7\n";
const SIZE: [u32; 2] = [31, 20];

/// A film in which a few px change from frame to frame, and nothing between some.
fn film(frames: usize) -> Vec<Vec<u8>> {
    let [width, height] = SIZE.map(|side| side as usize);
    (0..frames)
        .map(|number| {
            let time = number / 2 * 2;
            (0..width * height)
                .flat_map(|index| {
                    let (x, y) = (index % width, index / width);
                    let lit = x.abs_diff(3 + time % width) < 3 && y.abs_diff(7) < 4;
                    [
                        x as u8 * 3,
                        y as u8 * 5,
                        if lit { 250 - time as u8 } else { 9 },
                        255,
                    ]
                })
                .collect()
        })
        .collect()
}

fn codes(rgba: &[u8]) -> Frame<'_> {
    let [width, height] = SIZE;
    Frame::Codes(Pixels {
        width,
        height,
        rgba,
    })
}

/// A file in memory that can be read while it is written.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Cursor<Vec<u8>>>>);

impl Shared {
    fn now(&self) -> Vec<u8> {
        self.0.lock().unwrap().get_ref().clone()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.lock().unwrap().seek(to)
    }
}

fn write(film: &[Vec<u8>], fps: [u32; 2], plays: u32, jobs: usize) -> Vec<u8> {
    let file = Shared::default();
    let mut apng = Box::new(Apng::begin(file.clone(), SIZE, fps, plays, TAKE, jobs).unwrap());
    for frame in film {
        apng.push(codes(frame)).unwrap();
    }
    let bytes = apng.finish().unwrap();
    assert_eq!(bytes, file.now().len() as u64);
    file.now()
}

/// The whole frames of a file as RGB, composed, with each one's delay; reads as far as it goes.
fn decode(file: &[u8]) -> (Vec<Vec<u8>>, Vec<[u16; 2]>, ::png::AnimationControl) {
    let mut reader = ::png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    let mut canvas = vec![0; (SIZE[0] * SIZE[1] * 3) as usize];
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while (frames.len() as u32) < control.num_frames && reader.next_frame(&mut buffer).is_ok() {
        let part = *reader.info().frame_control().unwrap();
        let (x, width) = (part.x_offset as usize, part.width as usize);
        for row in 0..part.height as usize {
            let place = ((part.y_offset as usize + row) * SIZE[0] as usize + x) * 3;
            canvas[place..place + width * 3]
                .copy_from_slice(&buffer[row * width * 3..(row + 1) * width * 3]);
        }
        frames.push(canvas.clone());
        delays.push([part.delay_num, part.delay_den]);
    }
    (frames, delays, control)
}

fn rgb(film: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let rgb = |frame: &Vec<u8>| {
        frame
            .chunks(4)
            .flat_map(|pixel| pixel[..3].to_vec())
            .collect()
    };
    film.iter().map(rgb).collect()
}

#[test]
fn every_pixel_of_every_frame_reads_back() {
    let film = film(9);
    let file = write(&film, [30_000, 1001], 3, 2);
    let (frames, delays, control) = decode(&file);
    assert_eq!((control.num_frames, control.num_plays), (9, 3));
    assert!(frames == rgb(&film));
    assert_eq!(delays, [[1001, 30_000]; 9]);
    assert_eq!(png::take(Cursor::new(&file)).unwrap().unwrap(), TAKE);
}

/// Players that guess from the first 2 KB find a frame there, however much is said of how it was made.
#[test]
fn the_first_frame_stands_before_the_take() {
    let shared = Shared::default();
    let take = "x".repeat(5000);
    let mut apng = Apng::begin(shared.clone(), SIZE, [30, 1], 0, &take, 1).unwrap();
    apng.push(codes(&film(1)[0])).unwrap();
    Box::new(apng).finish().unwrap();
    let file = shared.now();
    let place = |name: &[u8]| file.windows(4).position(|window| window == name).unwrap();
    assert!(place(b"acTL") < place(b"IDAT") && place(b"IDAT") < 2048);
    assert!(place(b"IDAT") < place(b"iTXt"));
    assert_eq!(png::take(Cursor::new(&file)).unwrap().unwrap(), take);
}

#[test]
fn only_what_has_changed_is_written() {
    let one = write(&film(1), [60, 1], 0, 1).len();
    let still = film(2);
    let unchanged = write(&still, [60, 1], 0, 1).len() - one;
    // Control, and one px that compresses to next to nothing.
    assert!(unchanged < 38 + 100, "{unchanged}");
    let mut reader = ::png::Decoder::new(Cursor::new(write(&film(3), [60, 1], 0, 1)))
        .read_info()
        .unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    for expected in [[0, 0, 31, 20], [0, 0, 1, 1], [1, 4, 7, 7]] {
        reader.next_frame(&mut buffer).unwrap();
        let part = reader.info().frame_control().unwrap();
        assert_eq!(
            [part.x_offset, part.y_offset, part.width, part.height],
            expected
        );
    }
}

#[test]
fn threads_leave_no_trace() {
    let film = film(20);
    let one = write(&film, [60, 1], 0, 1);
    for jobs in [0, 2, 3] {
        assert!(write(&film, [60, 1], 0, jobs) == one, "{jobs} jobs");
    }
}

/// A program may be killed whenever it likes.
#[test]
fn a_file_that_is_cut_short_plays_its_whole_frames() {
    let film = film(12);
    let file = Shared::default();
    let mut apng = Apng::begin(file.clone(), SIZE, [60, 1], 0, TAKE, 1).unwrap();
    let mut most = 0;
    for (number, frame) in film.iter().enumerate() {
        apng.push(codes(frame)).unwrap();
        let mut now = file.now();
        assert_eq!(apng.bytes(), now.len() as u64);
        if now.len() > 200 {
            // This decoder shows a frame when it has seen what comes behind it.
            chunk::write(&mut now, *b"IEND", &[]).unwrap();
            let (frames, _, control) = decode(&now);
            assert_eq!(frames.len() as u32, control.num_frames);
            assert!(frames == rgb(&film[..frames.len()]) && frames.len() + 3 > number);
            most = most.max(frames.len());
        }
    }
    assert!(most >= 10, "{most}");
    drop(apng);
    let whole = write(&film, [60, 1], 0, 1);
    let (frames, _, _) = decode(&whole[..whole.len() - 40]);
    assert_eq!(frames.len(), 11);
    assert!(frames == rgb(&film[..11]));
}

#[test]
fn a_film_of_no_frames_is_no_file() {
    assert!(write(&[], [60, 1], 0, 1).is_empty());
}

#[test]
fn what_is_no_frame_of_the_film_is_refused() {
    let [width, height] = SIZE;
    let begin = |size| Apng::begin(Cursor::new(Vec::new()), size, [60, 1], 0, "", 1);
    let mut apng = begin(SIZE).unwrap();
    let wrong = Pixels {
        width: 20,
        height: 31,
        rgba: &[0; 2480],
    };
    let deep = DeepPixels {
        width,
        height,
        rgb: &[[0.0; 3]; 620],
    };
    for frame in [Frame::Codes(wrong), Frame::Deep(deep)] {
        let error = apng.push(frame).unwrap_err();
        assert_eq!(
            error.to_string(),
            "every frame must have 31x20 px of 8 bits"
        );
    }
    for size in [[0, 9], [9, 0], [30_000, 30_000], [u32::MAX; 2]] {
        let told = begin(size).err().unwrap().to_string();
        assert!(
            told.ends_with("an animated PNG cannot be of this size"),
            "{told}"
        );
    }
    apng.pushed = 1 << 30;
    let film = film(1);
    let error = apng.push(codes(&film[0])).unwrap_err();
    assert_eq!(error.to_string(), "an animated PNG cannot hold more frames");
}

#[test]
fn a_full_disk_is_told() {
    struct Full(Cursor<Vec<u8>>);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.position() {
                0..800 => self.0.write(bytes),
                _ => Err(io::ErrorKind::StorageFull.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Full {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let full = Full(Cursor::new(Vec::new()));
    let mut apng = Box::new(Apng::begin(full, SIZE, [60, 1], 0, TAKE, 1).unwrap());
    let mut told = Vec::new();
    for frame in film(40) {
        told.extend(apng.push(codes(&frame)).err());
    }
    assert!(
        matches!(&told[0], RecordError::Io(error) if error.kind() == io::ErrorKind::StorageFull)
    );
    assert!(apng.finish().is_err());
}

#[test]
fn a_frame_is_shown_exactly_as_long_as_16_bits_can_say() {
    for (fps, expected) in [
        ([60, 1], [1, 60]),
        ([120, 2], [1, 60]),
        ([24_000, 1001], [1001, 24_000]),
        ([60_000, 1001], [1001, 60_000]),
        ([1, 7], [7, 1]),
        ([100_000, 1], [1, 65_535]),
        ([1, u32::MAX], [65_535, 1]),
        ([0, 0], [1, 1]),
        // What Python's `Fraction(1001, 120000).limit_denominator(65535)` gives.
        ([120_000, 1001], [342, 40_999]),
    ] {
        assert_eq!(delay(fps), expected, "{fps:?}");
    }
    let [above, below] = delay([u32::MAX, 12_345_678]).map(f64::from);
    assert!((above / below * f64::from(u32::MAX) / 12_345_678.0 - 1.0).abs() < 1e-7);
}

/// By a decoder that has nothing to do with this one.
#[test]
fn ffmpeg_sees_the_same_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.png");
    let film = film(9);
    fs::write(&path, write(&film, [25, 1], 0, 2)).unwrap();
    let decoded = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "apng", "-i"])
        .arg(&path)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output();
    match decoded {
        Ok(output) => {
            assert!(
                output.stderr.is_empty(),
                "{:?}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(output.stdout == rgb(&film).concat());
        }
        Err(_) if std::env::var("CI").as_deref() == Ok("true") => panic!("ffmpeg is missing"),
        Err(error) => println!("skipped: ffmpeg: {error}"),
    }
}
