use super::oklab::tests::{exact_encoded, exact_lab, exact_linear};
use super::*;

const DEMO: HslRamp = HslRamp {
    hue: 185.0,
    hue_span: 30.0,
    saturation: 80.0,
    lightness: 55.0,
    lightness_span: 25.0,
};

fn codes(color: [f32; 3]) -> [u8; 3] {
    color.map(|channel| (channel * 255.0 + 0.5) as u8)
}

/// The CSS named colors, and the two ends of the original demo's ramp as a browser computes them.
#[test]
fn hsl_is_css() {
    assert_eq!(codes(hsl_to_rgb(0.0, 100.0, 50.0)), [255, 0, 0]);
    assert_eq!(codes(hsl_to_rgb(120.0, 100.0, 25.0)), [0, 128, 0]);
    assert_eq!(codes(hsl_to_rgb(-120.0, 100.0, 50.0)), [0, 0, 255]);
    assert_eq!(codes(hsl_to_rgb(600.0, 100.0, 50.0)), [0, 0, 255]);
    assert_eq!(codes(hsl_to_rgb(39.0, 100.0, 50.0)), [255, 166, 0]);
    assert_eq!(codes(hsl_to_rgb(185.0, 80.0, 55.0)), [48, 217, 232]);
    assert_eq!(codes(hsl_to_rgb(215.0, 80.0, 80.0)), [163, 197, 245]);
}

#[test]
fn values_out_of_range_take_the_ends() {
    let palette = Palette::hsl(&DEMO);
    assert_eq!(palette.color(-1.0), palette.colors()[0]);
    assert_eq!(palette.color(2.0), palette.colors()[COLORS - 1]);
    assert_eq!(palette.color(f32::NAN), palette.colors()[0]);
}

/// The ramp's table is the one that pictures were made with before there were other palettes.
#[test]
fn the_ramp_keeps_its_bits() {
    let palette = Palette::new(&Scheme::Hsl, &DEMO);
    let hash = palette
        .colors()
        .iter()
        .flatten()
        .fold(0u64, |hash, channel| {
            (hash ^ u64::from(channel.to_bits())).wrapping_mul(0x0100_0000_01b3)
        });
    assert_eq!(hash, 0x034a_49dc_81ef_03bb, "{hash:#x}");
}

#[test]
fn linear_light_is_exact() {
    for known in BUILT_IN {
        let palette = Palette::new(&known.scheme, &DEMO);
        for (color, light) in palette.colors().iter().zip(palette.linear()) {
            for (channel, light) in color.iter().zip(light) {
                let exact = exact_linear(f64::from(*channel));
                assert!((f64::from(*light) - exact).abs() <= exact * 6e-8, "{exact}");
            }
        }
    }
}

fn gradient(stops: &[[u8; 3]], space: Space, end: End) -> Gradient {
    let stops = Stops::new(stops).unwrap();
    Gradient { stops, space, end }
}

const STOPS: [[u8; 3]; 4] = [[8, 57, 122], [200, 30, 60], [90, 90, 90], [106, 240, 228]];

#[test]
fn gradients_pass_their_stops_and_end_with_them() {
    for space in [Space::Oklab, Space::Oklch] {
        // 255 is three times 85, so every stop is an entry.
        let palette = Palette::gradient(&gradient(&STOPS, space, End::Open));
        for (index, stop) in STOPS.iter().enumerate() {
            let exact = stop.map(|code| f32::from(code) / 255.0);
            assert_eq!(palette.colors()[index * 85], exact);
        }
        for count in 2..=32usize {
            let stops: Vec<[u8; 3]> = (0..count).map(|index| [0, 5, index as u8 * 8]).collect();
            let palette = Palette::gradient(&gradient(&stops, space, End::Open));
            let ends = [palette.colors()[0], palette.colors()[255]].map(codes);
            assert_eq!(ends, [stops[0], stops[count - 1]]);
        }
    }
}

/// OKLab of codes by the C library, and back by Newton's method on that alone.
fn exact_codes(wanted: [f64; 3]) -> [f64; 3] {
    let [lightness, a, b] = wanted;
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    .map(exact_encoded)
}

fn assert_close(actual: [f32; 3], expected: [f64; 3]) {
    let is_close = (0..3).all(|k| (f64::from(actual[k]) - expected[k]).abs() < 1e-6);
    assert!(is_close, "{actual:?} {expected:?}");
}

#[test]
fn between_stops_colors_are_blended_in_oklab() {
    let palette = Palette::gradient(&gradient(&STOPS, Space::Oklab, End::Open));
    for (leg, index) in [(0, 1), (0, 42), (1, 128), (2, 200), (2, 254)] {
        let share = index as f64 / 85.0 - leg as f64;
        let (from, to) = (exact_lab(STOPS[leg]), exact_lab(STOPS[leg + 1]));
        let blended = [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * share);
        assert_close(palette.colors()[index], exact_codes(blended));
    }
}

#[test]
fn oklch_goes_the_shorter_way_around() {
    // Hues of 350 and 20 degrees and back: the way leads over 5, and not over 185.
    let at = |degrees: f64| {
        let hue = degrees.to_radians();
        codes(exact_codes([0.65, 0.12 * hue.cos(), 0.12 * hue.sin()]).map(|c| c as f32))
    };
    let hue_and_chroma = |color: [f32; 3]| {
        let [_, a, b] = oklab::lab(color.map(|channel| oklab::linear(channel.into())));
        (b.atan2(a).to_degrees(), a.hypot(b))
    };
    for stops in [[at(350.0), at(20.0)], [at(20.0), at(350.0)]] {
        let palette = Palette::gradient(&gradient(&stops, Space::Oklch, End::Open));
        for color in palette.colors() {
            let (hue, chroma) = hue_and_chroma(*color);
            assert!((-11.0..=21.0).contains(&hue), "{hue}");
            assert!((chroma - 0.12).abs() < 2e-3, "{chroma}");
        }
        let (middle, _) = hue_and_chroma(palette.colors()[127]);
        assert!((middle - 5.0).abs() < 1.0, "{middle}");
    }
}

#[test]
fn a_grey_stop_takes_the_hue_of_its_neighbor() {
    let (red, grey) = ([220, 60, 50], [128, 128, 128]);
    let hue = |[_, a, b]: [f64; 3]| b.atan2(a);
    let wanted = hue(exact_lab(red));
    for stops in [[red, grey], [grey, red]] {
        let palette = Palette::gradient(&gradient(&stops, Space::Oklch, End::Open));
        for color in &palette.colors()[10..245] {
            let lab = oklab::lab(color.map(|channel| oklab::linear(channel.into())));
            assert!((hue(lab) - wanted).abs() < 1e-4, "{}", hue(lab));
        }
    }
    let greys = Palette::gradient(&gradient(&[[0; 3], [255; 3]], Space::Oklch, End::Open));
    let is_grey = |[r, g, b]: &[f32; 3]| (r - g).abs() < 1e-5 && (g - b).abs() < 1e-5;
    assert!(greys.colors().iter().all(is_grey));
}

#[test]
fn lightness_rises_where_that_of_the_stops_does() {
    for space in [Space::Oklab, Space::Oklch] {
        let stops = [[8, 20, 60], [20, 60, 255], [40, 200, 120], [255, 250, 160]];
        let palette = Palette::gradient(&gradient(&stops, space, End::Open));
        let lightness = palette.colors().iter().map(|color| {
            let [lightness, ..] = oklab::lab(color.map(|channel| oklab::linear(channel.into())));
            lightness
        });
        let lightness: Vec<f64> = lightness.collect();
        assert!(lightness.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn a_periodic_gradient_closes() {
    for space in [Space::Oklab, Space::Oklch] {
        let palette = Palette::gradient(&gradient(&STOPS, space, End::Periodic));
        let colors = palette.colors();
        assert_eq!(colors[0], colors[255]);
        assert_eq!(codes(colors[0]), STOPS[0]);
        // Around the seam as elsewhere, neighbors are close.
        for pair in palette.linear().windows(2) {
            assert!((0..3).all(|k| (pair[0][k] - pair[1][k]).abs() < 0.03));
        }
    }
}

#[test]
fn no_channel_leaves_its_range() {
    let corners: Vec<[u8; 3]> = (0..8u8)
        .map(|bits| [1, 2, 4].map(|bit| if bits & bit == 0 { 0 } else { 255 }))
        .collect();
    let mut palettes: Vec<Palette> = Vec::new();
    for from in &corners {
        for to in &corners {
            for space in [Space::Oklab, Space::Oklch] {
                palettes.push(Palette::gradient(&gradient(
                    &[*from, *to],
                    space,
                    End::Open,
                )));
            }
        }
    }
    palettes.extend(
        BUILT_IN
            .iter()
            .map(|known| Palette::new(&known.scheme, &DEMO)),
    );
    let wild = [
        9.0, -8.0, 0.5, 7.0, 3.0, 99.0, 100.0, 0.1, 5.0, -100.0, 0.3, 1.0,
    ];
    palettes.push(Palette::cosine(&Cosine::new(wild).unwrap()));
    for palette in palettes {
        for degrees in [0.0, 125.0, -90.0] {
            let turned = palette.clone().turned(degrees);
            for channel in turned.colors().iter().chain(turned.linear()).flatten() {
                assert!((0.0..=1.0).contains(channel), "{channel}");
            }
        }
    }
}

#[test]
fn cosines_are_the_formula() {
    let numbers = [
        0.5, 0.45, 0.6, 0.42, 0.38, 0.35, 1.5, 0.5, 2.0, 0.5, 0.25, 0.0,
    ];
    let palette = Palette::cosine(&Cosine::new(numbers).unwrap());
    for (index, color) in palette.colors().iter().enumerate() {
        let value = index as f64 / 255.0;
        let expected = [0, 1, 2].map(|k| {
            let [a, b, c, d] = [0, 3, 6, 9].map(|row| numbers[row + k]);
            (a + b * (std::f64::consts::TAU * (c * value + d)).cos()).clamp(0.0, 1.0)
        });
        assert_close(*color, expected);
    }
    for wrong in [f64::NAN, f64::INFINITY, 100.5, -1e9] {
        let mut numbers = numbers;
        numbers[7] = wrong;
        assert_eq!(Cosine::new(numbers), None);
    }
}

#[test]
fn hues_turn_and_come_back() {
    let palette = Palette::hsl(&DEMO);
    for degrees in [0.0, -0.0, 360.0, -360.0] {
        assert_eq!(palette.clone().turned(degrees), palette);
    }
    let lab = |color: [f32; 3]| oklab::lab(color.map(|channel| oklab::linear(channel.into())));
    let faint = Palette::gradient(&gradient(
        &[[110, 130, 150], [150, 120, 130]],
        Space::Oklab,
        End::Open,
    ));
    let turned = faint.clone().turned(75.0);
    for (before, after) in faint.colors().iter().zip(turned.colors()) {
        let ([l, a, b], [turned_l, turned_a, turned_b]) = (lab(*before), lab(*after));
        let turns = (turned_b.atan2(turned_a) - b.atan2(a)).to_degrees();
        assert!((turns.rem_euclid(360.0) - 75.0).abs() < 0.01, "{turns}");
        assert!((l - turned_l).abs() < 1e-5);
    }
    let back = turned.turned(-75.0);
    for (before, after) in faint.colors().iter().zip(back.colors()) {
        assert!((0..3).all(|k| (before[k] - after[k]).abs() < 1e-5));
    }
}

#[test]
fn there_are_two_to_thirty_two_stops() {
    assert_eq!(Stops::new(&[]), None);
    assert_eq!(Stops::new(&[[1; 3]]), None);
    assert_eq!(Stops::new(&[[1; 3]; 33]), None);
    assert_eq!(Stops::new(&[[1; 3]; 32]).unwrap().colors(), [[1; 3]; 32]);
    assert_eq!(
        Stops::of([0x010203, 0xfffefd]).colors(),
        [[1, 2, 3], [255, 254, 253]]
    );
}
