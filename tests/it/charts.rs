//! Pictures of the field: `eddyline noise`.

use std::collections::HashSet;
use std::fs;

use super::commands::{fail, folder, succeed};

/// Width, height and the RGB codes of a PNG.
fn read(bytes: &[u8]) -> ([u32; 2], Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    ([info.width, info.height], pixels)
}

#[test]
fn every_view_is_a_picture_of_its_own() {
    let folder = folder();
    let mut seen = HashSet::new();
    for view in ["value", "angle", "vector", "curl", "color", "curve"] {
        for mode in ["angle", "curl"] {
            let line = format!(
                "noise - --view {view} --mode {mode} --octaves 2 --noise-scale 0.01 --size 160x90"
            );
            let picture = succeed(folder.path(), &line);
            let (size, pixels) = read(&picture);
            assert_eq!(size, [160, 90]);
            assert!(pixels.iter().collect::<HashSet<_>>().len() > 20, "{view}");
            // Of the mode hang only those of velocities.
            let is_new = seen.insert(pixels);
            let hangs = ["angle", "vector", "curl"].contains(&view);
            assert_eq!(is_new, hangs || mode == "angle", "{view} {mode}");
        }
    }
}

#[test]
fn noise_and_time_can_be_chosen() {
    let folder = folder();
    let picture = |flags: &str| {
        read(&succeed(
            folder.path(),
            &format!("noise - --size 96x54 --noise-scale 0.03 {flags}"),
        ))
        .1
    };
    let mut seen = HashSet::new();
    for flags in [
        "",
        "--noise value",
        "--noise simplex",
        "--noise opensimplex2",
        "--octaves 6",
        "--shape ridged",
        "--warp 1",
        "--seed 6",
        "--at 1h",
        "--slice 0",
        "--slice -0.5",
    ] {
        assert!(seen.insert(picture(flags)), "{flags}");
    }
    // A step is a few cells of noise time, and time itself does not matter any more.
    assert_eq!(picture("--slice 0.5 --at 1h"), picture("--slice 0.5"));
    assert_eq!(picture("--slice 0.5 --threads 1"), picture("--slice 0.5"));
    assert_ne!(picture("--legend"), picture(""));
}

/// The middle of every fifth px is a lattice point, where Perlin noise of a whole slice is half.
#[test]
fn a_whole_slice_of_perlin_noise_is_half_at_lattice_points() {
    let folder = folder();
    let flags = "--noise perlin --octaves 1 --noise-scale 0.4 --size 100x100";
    let read = |slice: &str| {
        let line = format!("noise - {flags} --slice {slice}");
        let (_, pixels) = read(&succeed(folder.path(), &line));
        let nodes = (2..100)
            .step_by(5)
            .flat_map(|y| (2..100).step_by(5).map(move |x| (x, y)));
        nodes
            .filter(|(x, y)| pixels[(y * 100 + x) * 3].abs_diff(128) <= 1)
            .count()
    };
    assert_eq!(read("3"), 400);
    assert_eq!(read("-7"), 400);
    assert!(read("3.5") < 200);
}

#[test]
fn pictures_keep_to_the_rules_of_files() {
    let folder = folder();
    let line = "noise a.png --size 32x18 --view curve";
    succeed(folder.path(), line);
    let first = fs::read(folder.path().join("a.png")).unwrap();
    assert!(fail(folder.path(), line, 1).contains("a.png: exists already; -y replaces it"));
    succeed(folder.path(), &format!("{line} -y --seed 9"));
    assert_ne!(fs::read(folder.path().join("a.png")).unwrap(), first);
    assert!(fail(folder.path(), "noise a.jpg", 2).contains("the ending must be .png"));
    let views = fail(folder.path(), "noise b.png --view water", 2);
    assert!(
        views.contains("curve") && views.contains("vector"),
        "{views}"
    );
    for slice in ["x", "nan", "1e13", "inf"] {
        let line = format!("noise b.png --slice {slice}");
        assert!(fail(folder.path(), &line, 2).contains("--slice"), "{slice}");
    }
    fail(folder.path(), "noise b.png --size 0x4", 2);
    fail(folder.path(), "noise b.png --octaves 9", 2);
    assert!(!folder.path().join("b.png").exists());
    // How it was made stands in it.
    succeed(folder.path(), "noise c.png --size 64x36 --seed 77");
    succeed(folder.path(), "render d.png --from c.png --size 64x36");
    succeed(
        folder.path(),
        "render e.png --seed 77 --size 64x36 --at 10s",
    );
    let [d, e] = ["d.png", "e.png"].map(|name| read(&fs::read(folder.path().join(name)).unwrap()));
    assert!(d == e);
}
