use super::*;

/// A window of 100 x 50 px on paper of 120 x 100 mm with a margin of 10 mm: 1 px is 1 mm, and there are 25 mm above.
fn frame() -> Frame {
    Frame::new([100.0, 50.0], [120.0, 100.0], 10.0)
}

/// The pieces of a line, in px of the window of [`frame`].
fn pieces(points: &[[f32; 2]]) -> Vec<Vec<[f64; 2]>> {
    let points: Vec<Vec2> = points.iter().map(|&point| point.into()).collect();
    let mut pieces = Vec::new();
    frame().lay(&points, |piece| {
        let in_px = |[x, y]: Point| [f64::from(x) / 100.0 - 10.0, f64::from(y) / 100.0 - 25.0];
        pieces.push(piece.into_iter().map(in_px).collect());
    });
    pieces
}

#[test]
fn the_window_fills_the_paper_within_the_margins() {
    let corners = |frame: Frame| [frame.origin, frame.low, frame.high].map(|at| at.to_array());
    let wide = corners(frame());
    assert_eq!(
        wide,
        [[1000.0, 2500.0], [1000.0, 2500.0], [11_000.0, 7500.0]]
    );
    let high = corners(Frame::new([50.0, 100.0], [120.0, 100.0], 10.0));
    assert_eq!(high, [[4000.0, 1000.0], [4000.0, 1000.0], [8000.0, 9000.0]]);
    // A third of a mm is no whole number of hundredths.
    let [origin, low, high] = corners(Frame::new([3.0, 4.0], [100.0, 100.0], 1.0 / 3.0));
    assert!(origin[1] > 33.3 && low[1] == 34.0 && high[1] == 9966.0);
    assert!(low[0] >= origin[0] && high[0] <= 10_000.0 - origin[0]);
    // Nothing is left of a window that is a million times as wide as high, but nothing breaks.
    let thread = Frame::new([1e6, 1.0], [100.0, 100.0], 0.0);
    thread.lay(&[Vec2::ZERO, Vec2::new(1e6, 1.0)], |piece| {
        assert!(piece.iter().flatten().all(|c| (0..=10_000).contains(c)));
    });
}

#[test]
fn lines_are_clipped_exactly() {
    // Inside, unchanged; along an edge of the window, too.
    assert_eq!(
        pieces(&[[10.0, 10.0], [90.0, 40.0]]),
        [[[10.0, 10.0], [90.0, 40.0]]]
    );
    assert_eq!(
        pieces(&[[0.0, 5.0], [0.0, 45.0]]),
        [[[0.0, 5.0], [0.0, 45.0]]]
    );
    assert_eq!(
        pieces(&[[-5.0, 50.0], [120.0, 50.0]]),
        [[[0.0, 50.0], [100.0, 50.0]]]
    );
    // Through all of it: straight, and through two corners.
    assert_eq!(
        pieces(&[[-10.0, 20.0], [110.0, 30.0]]),
        [[[0.0, 20.83], [100.0, 29.17]]]
    );
    assert_eq!(
        pieces(&[[-20.0, -10.0], [140.0, 70.0]]),
        [[[0.0, 0.0], [100.0, 50.0]]]
    );
    assert_eq!(
        pieces(&[[40.0, 80.0], [60.0, -30.0]]),
        [[[45.45, 50.0], [54.55, 0.0]]]
    );
    // Outside, at every side and across a corner; touching a corner.
    let outside = [
        [[-1.0, 0.0], [-1.0, 50.0]],
        [[101.0, 0.0], [101.0, 50.0]],
        [[0.0, -1.0], [100.0, -1.0]],
        [[0.0, 51.0], [100.0, 51.0]],
        [[-30.0, 20.0], [20.0, -30.0]],
        [[-10.0, 10.0], [10.0, -10.0]],
    ];
    for line in outside {
        assert!(pieces(&line).is_empty(), "{line:?}");
    }
}

#[test]
fn a_line_that_comes_back_is_drawn_in_two_pieces() {
    let line = [
        [90.0, 10.0],
        [110.0, 10.0],
        [110.0, 30.0],
        [80.0, 30.0],
        [80.0, 20.0],
    ];
    let expected = [
        vec![[90.0, 10.0], [100.0, 10.0]],
        vec![[100.0, 30.0], [80.0, 30.0], [80.0, 20.0]],
    ];
    assert_eq!(pieces(&line), expected);
    // One that only touches the edge is drawn in one.
    let touching = [[90.0, 10.0], [100.0, 20.0], [90.0, 30.0]];
    assert_eq!(
        pieces(&touching),
        [touching.map(|point| point.map(f64::from))]
    );
}

#[test]
fn degenerate_lines_are_left_out_and_what_is_no_place_is_a_gap() {
    assert!(pieces(&[]).is_empty());
    assert!(pieces(&[[1.0, 1.0]]).is_empty());
    assert!(pieces(&[[1.0, 1.0]; 5]).is_empty());
    assert!(pieces(&[[1.0, 1.0], [1.001, 1.001]]).is_empty());
    for gap in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let line = [[1.0, 1.0], [2.0, 1.0], [gap, 2.0], [3.0, 1.0], [4.0, 1.0]];
        let expected = [[[1.0, 1.0], [2.0, 1.0]], [[3.0, 1.0], [4.0, 1.0]]];
        assert_eq!(pieces(&line), expected);
        assert!(pieces(&[[gap, 1.0], [1.0, gap]]).is_empty());
    }
    // From far away, and from where no number is exact.
    let far = pieces(&[[-1e9, 20.0], [1e9, 20.0]]);
    assert_eq!(far, [[[0.0, 20.0], [100.0, 20.0]]]);
    let farthest = pieces(&[[f32::MIN, 20.0], [f32::MAX, 20.0], [50.0, f32::MAX]]);
    for [x, y] in farthest.into_iter().flatten() {
        assert!((0.0..=100.0).contains(&x) && (0.0..=50.0).contains(&y));
    }
}

/// No point of a line is farther than 0.05 mm from what is written, nor the other way round.
#[test]
fn simplified_lines_stay_within_a_twentieth_of_a_mm() {
    let spiral = |i: u32| {
        let angle = f64::from(i) * 0.03;
        let radius = 22.0 * (-angle * 0.05).exp();
        Vec2::new(
            (50.0 + radius * angle.cos()) as f32,
            (25.0 + radius * angle.sin()) as f32,
        )
    };
    let zigzag = |i: u32| Vec2::new(i as f32 * 0.01, 25.0 + (i % 2) as f32 * 0.04);
    let straight = |i: u32| Vec2::new(i as f32 * 0.03, i as f32 * 0.013);
    let there_and_back = |i: u32| Vec2::new(50.0 - i.abs_diff(1500) as f32 * 0.03, 20.0);
    type Shape = fn(u32) -> Vec2;
    let shapes: [(Shape, usize); 4] = [
        (spiral, 600),
        (zigzag, 2),
        (straight, 2),
        (there_and_back, 3),
    ];
    for (shape, most) in shapes {
        let points: Vec<Vec2> = (0..3000).map(shape).take_while(|at| at.y < 50.0).collect();
        let frame = frame();
        let mut lines = Vec::new();
        frame.lay(&points, |piece| lines.push(piece));
        let [line] = &lines[..] else {
            panic!("{} pieces", lines.len())
        };
        assert!(
            line.len() <= most,
            "{} of {} points",
            line.len(),
            points.len()
        );
        let line: Vec<DVec2> = line
            .iter()
            .map(|&[x, y]| DVec2::new(x.into(), y.into()))
            .collect();
        let exact: Vec<DVec2> = points.iter().map(|&point| frame.place(point)).collect();
        let farthest = |from: &[DVec2], to: &[DVec2]| {
            let nearest = |point: &DVec2| {
                let distances = to
                    .windows(2)
                    .map(|way| distance_squared(*point, way[0], way[1]));
                distances.fold(f64::INFINITY, f64::min).sqrt()
            };
            from.iter().map(nearest).fold(0.0, f64::max)
        };
        assert!(
            farthest(&exact, &line) <= 5.0,
            "{} off",
            farthest(&exact, &line)
        );
        assert!(
            farthest(&line, &exact) <= 0.75,
            "{} off",
            farthest(&line, &exact)
        );
    }
}
