use super::*;

fn of(kind: NoiseKind) -> Recipe {
    Recipe {
        kind,
        ..Recipe::PERLIN
    }
}

/// The gradient's length by its definition, of the shaped values themselves.
fn slope(recipe: &Recipe, circle: bool) -> f64 {
    let way = 1.0 / 256.0;
    let mut sum = 0.0;
    for moment in 0..100 {
        let fractal = Fractal::new(3, 0, *recipe, any_time(circle, moment, 100));
        for place in 0..100 {
            let [x, y] = [4, 5].map(|stream| {
                (unit(random_bits(moment, stream, place)) * 16_384.0).round() / 128.0
            });
            let across = fractal.at(x + way, y) - fractal.at(x - way, y);
            let down = fractal.at(x, y + way) - fractal.at(x, y - way);
            sum += f64::from(across * across + down * down) / f64::from(4.0 * way * way);
        }
    }
    (sum / 10_000.0).sqrt()
}

#[test]
fn slopes_are_those_of_the_values() {
    for kind in NoiseKind::ALL {
        for (octaves, shape) in [
            (1, Shape::Plain),
            (3, Shape::Plain),
            (1, Shape::Billow),
            (2, Shape::Power(2.0)),
            (2, Shape::Sine(0.7)),
        ] {
            for circle in [false, true] {
                let recipe = Recipe {
                    octaves,
                    shape,
                    ..of(kind)
                };
                let ratio = f64::from(recipe.slope_rms(circle)) / slope(&recipe, circle);
                assert!((ratio - 1.0).abs() < 0.07, "{recipe:?} {circle}: {ratio}");
            }
        }
    }
}

/// The largest second derivative along x, all but one in a thousand.
fn bend(recipe: &Recipe) -> f32 {
    let way = 1.0 / 128.0 / recipe.lacunarity.powi(recipe.octaves as i32 - 1);
    let mut bends = vec![];
    for moment in 0..100 {
        let fractal = Fractal::new(3, 0, *recipe, any_time(false, moment, 100));
        for place in 0..1000 {
            let [x, y] = [4, 5].map(|stream| unit(random_bits(moment, stream, place)) * 8.0);
            let sides = fractal.at(x + way, y) + fractal.at(x - way, y);
            bends.push((sides - 2.0 * fractal.at(x, y)).abs() / (way * way));
        }
    }
    bends.sort_by(f32::total_cmp);
    bends[bends.len() - bends.len() / 1000]
}

#[test]
fn curvature_follows_the_largest_second_derivative() {
    assert_eq!(Recipe::PERLIN.curvature(), 20.0);
    let mut failures = vec![];
    for kind in NoiseKind::ALL {
        for recipe in [
            of(kind),
            Recipe {
                octaves: 3,
                ..of(kind)
            },
            Recipe {
                shape: Shape::Power(0.5),
                ..of(kind)
            },
            Recipe {
                shape: Shape::Power(3.0),
                ..of(kind)
            },
            Recipe {
                shape: Shape::Sine(0.5),
                ..of(kind)
            },
            Recipe {
                shape: Shape::Sine(2.0),
                ..of(kind)
            },
            Recipe {
                warp: 0.5,
                ..of(kind)
            },
            Recipe {
                warp: 1.0,
                warp_scale: 0.5,
                warp_octaves: 2,
                ..of(kind)
            },
        ] {
            let ratio = recipe.curvature() / bend(&recipe);
            if !(1.5..12.0).contains(&ratio) {
                failures.push(format!("{ratio} {recipe:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
