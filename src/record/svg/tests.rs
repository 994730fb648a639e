use super::*;

use std::collections::BTreeMap;

mod xml;

use xml::Element;

const PENS: [[u8; 3]; 4] = [[47, 208, 216], [255, 0, 1], [0, 16, 255], [0, 0, 0]];

/// A window of 800 x 600 px on A4: 0.3167 mm for each px, 190 mm high, from 21.83 mm at the left.
fn page() -> Page<'static> {
    Page {
        window: [800.0, 600.0],
        paper: [297.0, 210.0],
        margin: 10.0,
        pen_width: 0.3,
        pens: &PENS,
        title: "Water <1> & \"2\"",
        description: "800 x 600 px\nat 10 s",
        take: "eddyline-take 1\nhue = 3 < 4 & 5\n",
    }
}

/// Curves of many short motions across the window and beyond its edges, and their values.
fn curves(count: usize) -> Vec<(f32, Vec<Vec2>)> {
    let curve = |number: usize| {
        let share = number as f32 / count as f32;
        let (mut angle, mut at) = (
            share * 40.0,
            Vec2::new(850.0 * share, (share * 7919.0) % 640.0),
        );
        let points = (0..300).map(|_| {
            angle += 0.02 * (at.x * 0.01).sin();
            at += 1.4 * Vec2::from_angle(angle);
            at
        });
        (share, points.collect())
    };
    (0..count).map(curve).collect()
}

fn plot<'a>(page: Page<'a>, curves: &[(f32, Vec<Vec2>)]) -> Plot<'a> {
    let lines = curves.iter().map(|(value, points)| Line {
        value: *value,
        points,
    });
    Plot::new(page, lines).unwrap()
}

fn text(plot: &Plot) -> String {
    let mut file = Vec::new();
    plot.write(&mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// The points of a polyline in mm.
fn points(line: &Element) -> Vec<[f64; 2]> {
    let pair = |text: &str| {
        let (x, y) = text.split_once(',').unwrap();
        [x, y].map(|number| number.parse().unwrap())
    };
    line.attributes["points"].split(' ').map(pair).collect()
}

#[test]
fn a_drawing_is_an_svg_in_mm_with_a_layer_for_each_pen() {
    let plot = plot(page(), &curves(200));
    let file = text(&plot);
    let svg = xml::parse(&file).unwrap();
    assert_eq!(svg.name, "svg");
    let attribute = |name: &str| svg.attributes[name].as_str();
    assert_eq!(attribute("xmlns"), "http://www.w3.org/2000/svg");
    assert_eq!(
        attribute("xmlns:inkscape"),
        "http://www.inkscape.org/namespaces/inkscape"
    );
    assert_eq!(
        ["version", "width", "height", "viewBox"].map(attribute),
        ["1.1", "297mm", "210mm", "0 0 297 210"]
    );
    let [title, description, metadata, layers @ ..] = &svg.children[..] else {
        panic!("{file}")
    };
    assert_eq!(
        [&title.name, &description.name, &metadata.name],
        ["title", "desc", "metadata"]
    );
    assert_eq!(
        [&title.text, &description.text],
        [page().title, page().description]
    );
    assert_eq!(metadata.children[0].name, "eddyline:take");
    assert_eq!(metadata.children[0].text, page().take);
    assert_eq!(take(&mut file.as_bytes()).unwrap().unwrap(), page().take);

    assert_eq!(layers.len(), 4);
    for (number, layer) in layers.iter().enumerate() {
        let [red, green, blue] = PENS[number];
        let color = format!("#{red:02x}{green:02x}{blue:02x}");
        let (pen, label) = (
            format!("pen{}", number + 1),
            format!("{} {color}", number + 1),
        );
        let expected = BTreeMap::from(
            [
                ("id", pen.as_str()),
                ("inkscape:groupmode", "layer"),
                ("inkscape:label", &label),
                ("fill", "none"),
                ("stroke", &color),
                ("stroke-width", "0.3"),
                ("stroke-linecap", "round"),
                ("stroke-linejoin", "round"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        assert_eq!((layer.name.as_str(), &layer.attributes), ("g", &expected));
        for line in &layer.children {
            assert_eq!(line.name, "polyline");
            assert!(line.attributes.keys().eq(["points"]) && line.children.is_empty());
        }
    }
}

#[test]
fn lines_lie_within_the_margin_and_each_pen_draws_its_share() {
    let curves = curves(200);
    let svg = xml::parse(&text(&plot(page(), &curves))).unwrap();
    let layers = &svg.children[3..];
    let all: Vec<[f64; 2]> = layers
        .iter()
        .flat_map(|layer| layer.children.iter().flat_map(points))
        .collect();
    assert!(
        all.iter()
            .all(|&[x, y]| (21.83..=275.17).contains(&x) && (10.0..=200.0).contains(&y))
    );
    // Some were cut at each edge.
    for (axis, edge) in [(0, 21.84), (0, 275.16), (1, 10.0), (1, 200.0)] {
        assert!(all.iter().any(|point| point[axis] == edge), "{axis} {edge}");
    }
    // Alone, a quarter of the lines gives one layer, the same as among all, under the same number.
    for (number, layer) in layers.iter().enumerate() {
        let share: Vec<_> = curves[number * 50..(number + 1) * 50].to_vec();
        let alone = xml::parse(&text(&plot(page(), &share))).unwrap();
        assert_eq!(alone.children[3..], *std::slice::from_ref(layer));
        assert!(layer.children.len() >= 45, "{} lines", layer.children.len());
    }
}

#[test]
fn values_are_shared_equally() {
    let values = [0.0, 0.249_999, 0.25, 0.5, 0.75, 1.0];
    assert_eq!(values.map(|value| band(value, 4)), [0, 0, 1, 2, 3, 3]);
    let strange = [-1.0, 2.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    assert_eq!(strange.map(|value| band(value, 4)), [0, 3, 0, 3, 0]);
    for pens in [1, 2, 3, 7, 1000] {
        assert!((0..pens).all(|pen| band(middle(pen, pens), pens) == pen));
    }
    assert_eq!(middle(1, 4), 0.375);
}

/// How many lines are drawn of one of `length` px, 0.3167 mm each.
fn lines_of(length: f32) -> usize {
    let curve = [(
        0.1,
        vec![Vec2::new(100.0, 100.0), Vec2::new(100.0 + length, 100.0)],
    )];
    plot(page(), &curve).figures().lines
}

#[test]
fn dots_are_left_out() {
    assert_eq!([0.0, 0.6, 0.66, 50.0].map(lines_of), [0, 0, 1, 1]);
}

#[test]
fn figures_are_those_of_the_file() {
    let plot = plot(page(), &curves(60));
    let svg = xml::parse(&text(&plot)).unwrap();
    let distance = |[x, y]: [f64; 2], [u, v]: [f64; 2]| (x - u).hypot(y - v) / 1000.0;
    let (mut ink, mut travel, mut lines) = (0.0, 0.0, 0);
    for layer in &svg.children[3..] {
        let mut pen = [0.0; 2];
        for line in layer.children.iter().map(points) {
            travel += distance(pen, line[0]);
            ink += line
                .windows(2)
                .map(|pair| distance(pair[0], pair[1]))
                .sum::<f64>();
            pen = line[line.len() - 1];
            lines += 1;
        }
        travel += distance(pen, [0.0; 2]);
    }
    let figures = plot.figures();
    assert_eq!((figures.lines, figures.pens), (lines, 4));
    assert!((figures.ink - ink).abs() < 1e-9 && (figures.travel - travel).abs() < 1e-9);
    let expected = format!("{lines} lines, {ink:.1} m of ink, {travel:.1} m of travel, 4 pens");
    assert_eq!(figures.to_string(), expected);
    let one = Figures {
        lines: 1,
        pens: 1,
        ink: 0.04,
        travel: 12.26,
    };
    assert_eq!(
        one.to_string(),
        "1 line, 0.0 m of ink, 12.3 m of travel, 1 pen"
    );
}

#[test]
fn the_same_lines_give_the_same_bytes() {
    let curves = curves(120);
    assert_eq!(text(&plot(page(), &curves)), text(&plot(page(), &curves)));
    let nothing = text(&plot(page(), &[]));
    assert_eq!(xml::parse(&nothing).unwrap().children.len(), 3);
}

/// The programs that read it read it, too.
#[test]
fn xmllint_finds_nothing_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plot.svg");
    std::fs::write(&file, text(&plot(page(), &curves(20)))).unwrap();
    let checked = std::process::Command::new("xmllint")
        .arg("--noout")
        .arg(&file)
        .output();
    match checked {
        Ok(output) => assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        ),
        Err(_) => {
            eprintln!("skipped: xmllint is missing; the checker beside this test has the say")
        }
    }
}

#[test]
fn pages_that_cannot_be_drawn_are_refused() {
    let error = |page: Page| Plot::new(page, []).unwrap_err();
    for window in [
        [0.0, 5.0],
        [5.0, -1.0],
        [f64::NAN, 5.0],
        [5.0, f64::INFINITY],
        [2e6, 5.0],
    ] {
        let found = error(Page { window, ..page() });
        assert!(matches!(found, PageError::Window(..)), "{window:?}");
    }
    for paper in [
        [9.9, 210.0],
        [297.0, 10_001.0],
        [f64::NAN, 210.0],
        [297.0, f64::INFINITY],
    ] {
        let found = error(Page { paper, ..page() });
        assert!(matches!(found, PageError::Paper(..)), "{paper:?}");
    }
    for margin in [-0.1, 104.6, f64::NAN, f64::INFINITY] {
        let found = error(Page { margin, ..page() });
        assert!(matches!(found, PageError::Margin(..)), "{margin}");
    }
    for pen_width in [0.0, -1.0, 100.1, f64::NAN, f64::INFINITY] {
        let found = error(Page {
            pen_width,
            ..page()
        });
        assert!(matches!(found, PageError::PenWidth(..)), "{pen_width}");
    }
    assert_eq!(
        error(Page {
            pens: &[],
            ..page()
        }),
        PageError::NoPen
    );
    assert_eq!(
        error(Page {
            take: "a\u{1b}b",
            ..page()
        }),
        PageError::Take('\u{1b}')
    );
}

#[test]
fn refusals_name_what_is_allowed() {
    let messages = [
        (
            PageError::Window(0.0, 5.5),
            "a window of 0 x 5.5 px: each side must be from 1 to 1000000 px",
        ),
        (
            PageError::Paper(9.9, 210.0),
            "paper of 9.9 x 210 mm: each side must be from 10 to 10000 mm",
        ),
    ];
    for (error, message) in messages {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_extremes_of_pages_can_be_drawn() {
    for (paper, margin, window) in [
        ([10.0; 2], 4.5, [1.0, 1e6]),
        ([10_000.0; 2], 0.0, [1e6, 1.0]),
        ([10_000.0, 10.0], 0.0, [1.0, 1.0]),
    ] {
        let page = Page {
            paper,
            margin,
            window,
            ..page()
        };
        xml::parse(&text(&plot(page, &curves(5)))).unwrap();
    }
}

/// A title comes from people; what XML cannot hold is replaced.
#[test]
fn any_title_is_written() {
    let page = Page {
        title: "\0 <svg> \u{ffff} ]]> \r",
        description: "&amp; -->",
        ..page()
    };
    let svg = xml::parse(&text(&plot(page, &[]))).unwrap();
    assert_eq!(svg.children[0].text, "\u{fffd} <svg> \u{fffd} ]]> \r");
    assert_eq!(svg.children[1].text, "&amp; -->");
}

#[test]
fn a_full_disk_is_an_error() {
    let whole = text(&plot(page(), &curves(200))).len();
    for room in [0, 100, whole / 2, whole - 1] {
        let mut bytes = vec![0; room];
        let error = plot(page(), &curves(200))
            .write(&mut &mut bytes[..])
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WriteZero, "{room} bytes");
    }
    let mut bytes = vec![0; whole];
    plot(page(), &curves(200))
        .write(&mut &mut bytes[..])
        .unwrap();
}
