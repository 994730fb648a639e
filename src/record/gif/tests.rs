use super::*;

const TAKE: &str = "eddyline-take 1\nwindow 4 4\n";

fn options(size: [u32; 2], jobs: usize) -> Options {
    Options {
        size,
        delay: 4,
        plays: 0,
        take: TAKE.repeat(30),
        jobs,
    }
}

/// A bright square on dark, which moves.
fn picture(number: u32, [width, height]: [u32; 2]) -> Vec<u8> {
    (0..width * height)
        .flat_map(|at| {
            let (x, y) = (at % width, at / width);
            let is_bright = (number..number + 4).contains(&x) && (3..6).contains(&y);
            match is_bright {
                true => [200, 230, 255, 255],
                false => [3, 18, 26, 255],
            }
        })
        .collect()
}

fn frame(rgba: &[u8], [width, height]: [u32; 2]) -> Frame<'_> {
    Frame::Codes(Pixels {
        width,
        height,
        rgba,
    })
}

/// What was written for so many frames.
fn written(jobs: usize, frames: u32, change: impl FnOnce(&mut Options)) -> Vec<u8> {
    let size = [40, 20];
    let mut options = options(size, jobs);
    change(&mut options);
    let mut file = Vec::new();
    let mut film = Gif::begin(&mut file, options).unwrap();
    for number in 0..frames {
        film.push(frame(&picture(number, size), size)).unwrap();
    }
    let bytes = Box::new(film).finish().unwrap();
    assert_eq!(bytes, file.len() as u64);
    file
}

/// All frames as they are shown, and the delays.
fn shown(file: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(file).unwrap();
    let width = usize::from(reader.width());
    let mut screen = vec![0; width * usize::from(reader.height()) * 4];
    let mut all = Vec::new();
    while let Some(frame) = reader.read_next_frame().unwrap() {
        let row = usize::from(frame.width) * 4;
        for (y, pixels) in frame.buffer.chunks(row).enumerate() {
            let at = ((usize::from(frame.top) + y) * width + usize::from(frame.left)) * 4;
            for (to, from) in screen[at..at + row].chunks_mut(4).zip(pixels.chunks(4)) {
                if from[3] > 0 {
                    to.copy_from_slice(from);
                }
            }
        }
        all.push((screen.clone(), frame.delay));
    }
    all
}

#[test]
fn few_colors_are_shown_exactly_and_only_changes_are_written() {
    let file = written(2, 12, |_| ());
    let frames = shown(&file);
    assert_eq!(frames.len(), 12);
    for (number, (pixels, delay)) in frames.iter().enumerate() {
        assert!(*pixels == picture(number as u32, [40, 20]), "{number}");
        assert_eq!(*delay, 4);
    }
    let mut reader = gif::DecodeOptions::new().read_info(&file[..]).unwrap();
    assert_eq!(reader.repeat(), Repeat::Infinite);
    reader.read_next_frame().unwrap();
    let second = reader.read_next_frame().unwrap().unwrap();
    assert_eq!(
        [second.left, second.top, second.width, second.height],
        [0, 3, 5, 3]
    );
}

#[test]
fn jobs_change_no_byte() {
    let one = written(1, 30, |_| ());
    assert!(written(2, 30, |_| ()) == one && written(3, 30, |_| ()) == one);
}

#[test]
fn a_gif_is_played_as_often_as_asked() {
    let repeat = |plays: u16| {
        let file = written(1, 2, |options| options.plays = plays);
        gif::DecodeOptions::new()
            .read_info(&file[..])
            .unwrap()
            .repeat()
    };
    assert_eq!(repeat(0), Repeat::Infinite);
    assert_eq!(repeat(5), Repeat::Finite(4));
    assert_eq!(repeat(1), Repeat::Finite(0));
}

#[test]
fn colors_that_come_later_are_not_far() {
    let size = [16, 16];
    let mut file = Vec::new();
    let mut film = Gif::begin(&mut file, options(size, 1)).unwrap();
    film.push(frame(&picture(0, size), size)).unwrap();
    let other: Vec<u8> = (0..256u32)
        .flat_map(|at| [at as u8, 255 - at as u8, 90, 255])
        .collect();
    film.push(frame(&other, size)).unwrap();
    Box::new(film).finish().unwrap();
    let frames = shown(&file);
    let far = frames[1]
        .0
        .iter()
        .zip(&other)
        .map(|(a, b)| a.abs_diff(*b))
        .max()
        .unwrap();
    assert!(far <= 100, "{far}");
}

#[test]
fn rates_are_the_nearest_that_viewers_keep_to() {
    let delay = |numerator: u32, denominator: u32| nearest_delay([numerator, denominator]);
    assert_eq!([delay(60, 1), delay(50, 1), delay(1000, 1)], [2; 3]);
    assert_eq!([delay(30, 1), delay(100, 3), delay(40, 1)], [3; 3]);
    assert_eq!([delay(24_000, 1001), delay(25, 1)], [4; 2]);
    assert_eq!([delay(20, 1), delay(1, 1), delay(15, 1)], [5; 3]);
}

#[test]
fn the_take_comes_back_and_damage_is_no_harm() {
    let file = written(1, 3, |_| ());
    let of = |bytes: &[u8]| take(&mut &bytes[..]);
    assert_eq!(of(&file).unwrap(), Some(TAKE.repeat(30)));
    let silent = written(1, 3, |options| options.take.clear());
    assert_eq!(of(&silent).unwrap(), None);
    assert_eq!(of(b"PNG..........").unwrap_err().to_string(), "no GIF file");
    for at in 0..file.len().min(3000) {
        _ = of(&file[..at]);
        let mut damaged = file.clone();
        damaged[at] ^= 0xff;
        _ = of(&damaged);
    }
    assert!(of(&file[..900]).is_err());
}

#[test]
fn what_cannot_be_is_an_error() {
    let begun = Gif::begin(io::sink(), options([70_000, 2], 1)).map(|_| ());
    assert!(
        begun
            .unwrap_err()
            .to_string()
            .starts_with("70000x2: a GIF has")
    );
    let mut film = Gif::begin(io::sink(), options([8, 8], 1)).unwrap();
    assert!(film.push(frame(&picture(0, [8, 9]), [8, 9])).is_err());
    assert_eq!(Box::new(film).finish().unwrap(), 0);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut film = Gif::begin(full, options([8, 8], 1)).unwrap();
    let outcome = (0..10).try_for_each(|number| film.push(frame(&picture(number, [8, 8]), [8, 8])));
    let outcome = outcome.and_then(|()| Box::new(film).finish().map(drop));
    assert!(outcome.unwrap_err().to_string().contains("No space left"));
}
