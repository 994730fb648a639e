use super::*;

fn placement(scale: f32, size: Vec2, band: f32) -> Placement {
    Placement {
        scale,
        origin: Vec2::new(-0.4, 0.7),
        torus: Torus {
            size,
            band: Vec2::splat(band),
        },
    }
}

#[test]
fn places_wrap_into_the_torus() {
    let torus = Torus {
        size: Vec2::new(640.0, 480.0),
        band: Vec2::ZERO,
    };
    for (place, expected) in [
        (-1e-9, 0.0),
        (640.0, 0.0),
        (-0.5, 639.5),
        (641.5, 1.5),
        (-3000.25, 199.75),
        (1e9, 0.0),
    ] {
        let wrapped = torus.wrap(Vec2::new(place, 3.0));
        assert!((0.0..640.0).contains(&wrapped.x), "{place}: {wrapped}");
        if place < 1e8 {
            assert_eq!(wrapped, Vec2::new(expected, 3.0));
        }
    }
    assert_eq!(torus.wrap(Vec2::NAN), Vec2::ZERO);
}

#[test]
fn a_channel_without_kept_nodes_has_the_same_bits() {
    let placement = placement(0.01, Vec2::new(900.0, 700.0), 64.0);
    let kept = Channel::new(Noise::new(1), placement, Depth::endless(3 << 62));
    let made = Channel {
        patch: None,
        ..kept.clone()
    };
    assert!(kept.patch.is_some());
    for index in 0..20_000 {
        let place = Vec2::new(index as f32 * 0.37 % 900.0, index as f32 * 0.73 % 700.0);
        assert_eq!(
            kept.value_at(place).to_bits(),
            made.value_at(place).to_bits(),
            "{place}"
        );
    }
    let huge = Channel::new(
        Noise::new(1),
        self::placement(0.5, Vec2::splat(16_000.0), 64.0),
        Depth::endless(0),
    );
    assert!(huge.patch.is_none());
    assert!((0.0..=1.0).contains(&huge.value_at(Vec2::splat(15_999.0))));
}

/// Blending keeps mean and spread: the band is neither calmer nor livelier than the rest.
#[test]
fn the_band_keeps_mean_and_variance() {
    let placement = placement(0.02, Vec2::new(2000.0, 2000.0), 400.0);
    let (mut inside, mut band) = ([0.0f64; 3], [0.0f64; 3]);
    for time in 0..400i128 {
        let channel = Channel::new(Noise::new(2), placement, Depth::endless(time << 66));
        for index in 0..500 {
            let place = Vec2::new(unit(time, index), unit(time, index + 1000)) * 2000.0;
            let value = f64::from(channel.value_at(place)) - 0.5;
            let sums = if place.max_element() < 1600.0 {
                &mut inside
            } else {
                &mut band
            };
            *sums = [sums[0] + 1.0, sums[1] + value, sums[2] + value * value];
        }
    }
    let spread = |sums: [f64; 3]| (sums[2] / sums[0]).sqrt();
    assert!(
        (band[1] / band[0]).abs() < 0.005 && band[0] > 10_000.0,
        "{band:?}"
    );
    assert!(
        (spread(band) / spread(inside) - 1.0).abs() < 0.03,
        "{} {}",
        spread(band),
        spread(inside)
    );
}

fn unit(time: i128, index: u32) -> f32 {
    crate::hash::unit(crate::hash::random_bits(7, time as u64, index))
}
