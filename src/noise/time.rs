//! Time as the noise knows it: where it has come to, and which place on the axes of time that is for whatever runs
//! faster or slower.

use super::floor;

/// Where noise time has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// On a line without end, in 2^-64 cells.
    Line(i128),
    /// On a circle.
    Circle {
        /// In cells; below 0 time goes round backwards.
        radius: f64,
        /// Steps since the circle began, from 0.
        part: i64,
        /// Steps of the whole circle, above `part`.
        period: i64,
    },
}

impl Time {
    /// The time of what runs `times / parts` as fast: so many cells of the line, rounded down, or a circle of so much the radius,
    /// which comes back with the others. `parts` is above 0.
    pub fn scaled(self, [times, parts]: [u32; 2]) -> Time {
        match self {
            // In two parts, so that no product leaves 128 bits.
            Time::Line(z) => {
                let [times, parts] = [times, parts].map(i128::from);
                let whole = z.div_euclid(parts).wrapping_mul(times);
                Time::Line(whole.wrapping_add(z.rem_euclid(parts) * times / parts))
            }
            Time::Circle {
                radius,
                part,
                period,
            } => Time::Circle {
                radius: radius * (f64::from(times) / f64::from(parts)),
                part,
                period,
            },
        }
    }

    /// The place on the axes of time.
    pub fn depth(self) -> Depth {
        self.shifted(0)
    }

    /// The place of a lattice that lies elsewhere in time: `by` units of 2^-26 cells from this one on a line, and whole cells on
    /// both axes where there are two, so that a circle keeps its place within a cell.
    pub(super) fn shifted(self, by: u32) -> Depth {
        match self {
            Time::Line(z) => Depth::endless(z.wrapping_add(i128::from(by) << 38)),
            Time::Circle {
                radius,
                part,
                period,
            } => {
                let depth = Depth::on_circle(radius, part, period);
                let moved = |cell: i64, by: u32| cell.wrapping_add(i64::from(by & 255));
                Depth {
                    cell: moved(depth.cell, by),
                    across: depth.across.map(|place| Place {
                        cell: moved(place.cell, by >> 8),
                        ..place
                    }),
                    ..depth
                }
            }
        }
    }
}

/// A place on the time axis of the noise, in cells: a whole cell and the way into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The cell; any value.
    pub cell: i64,
    /// In [0, 1).
    pub fraction: f32,
    /// Whether the noise repeats after 256 cells, as the table alone does.
    pub periodic: bool,
    /// The place on a second time axis, in noise of four dimensions, which never repeats.
    pub across: Option<Place>,
}

/// A place on an axis, in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The cell; any value.
    pub cell: i64,
    /// The way into it, in [0, 1).
    pub fraction: f32,
}

impl Place {
    /// The place at `x`, which is finite and of magnitude below 2^52.
    pub fn new(x: f64) -> Place {
        // 24 bits fill an f32 exactly; more could round the fraction up to 1.
        let cell = x.floor();
        let fraction = ((x - cell) * 16_777_216.0) as u32;
        Place {
            cell: cell as i64,
            fraction: fraction as f32 * (1.0 / 16_777_216.0),
        }
    }
}

impl Depth {
    /// A depth that never repeats, from a fixed-point number of 2^-64 cells.
    pub fn endless(fixed: i128) -> Depth {
        // 24 bits fill an f32 exactly; more could round the fraction up to 1.
        let fraction = ((fixed as u64) >> 40) as f32 * (1.0 / 16_777_216.0);
        Depth {
            cell: (fixed >> 64) as i64,
            fraction,
            periodic: false,
            across: None,
        }
    }

    /// A depth in the 256 cells of the table, which repeat.
    pub fn periodic(z: f32) -> Depth {
        let cell = floor(z);
        Depth {
            cell: i64::from(cell),
            fraction: z - cell as f32,
            periodic: true,
            across: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_rates_are_rounded_down() {
        for z in [0, 1, 2, 7, -1, -2, -7, 1 << 100, -(1 << 100) - 1] {
            let line = |times, parts| match Time::Line(z).scaled([times, parts]) {
                Time::Line(z) => z,
                Time::Circle { .. } => unreachable!(),
            };
            assert_eq!(line(1, 1), z);
            assert_eq!(line(3, 2), (z * 3).div_euclid(2));
            assert_eq!(line(7, 10), (z * 7).div_euclid(10));
        }
        // What a product would not hold.
        assert!(matches!(Time::Line(i128::MAX).scaled([9, 9]), Time::Line(z) if z == i128::MAX));
    }

    #[test]
    fn circles_of_other_rates_close_with_the_first() {
        let time = |part| Time::Circle {
            radius: 0.4,
            part,
            period: 1200,
        };
        for rate in [[3, 2], [7, 10], [9, 2]] {
            assert_eq!(
                time(1200).scaled(rate).depth(),
                time(0).scaled(rate).depth()
            );
            assert_ne!(time(600).scaled(rate).depth(), time(0).scaled(rate).depth());
        }
    }

    #[test]
    fn lattices_elsewhere_in_time_lie_there_exactly() {
        let time = Time::Line((5 << 64) + (1 << 63));
        assert_eq!(
            time.shifted((3 << 26) + (1 << 24)),
            Depth::endless((8 << 64) + (3 << 62))
        );
        let time = Time::Circle {
            radius: 0.3,
            part: 5,
            period: 77,
        };
        let (here, there) = (time.depth(), time.shifted(0x0203));
        assert_eq!(there.fraction, here.fraction);
        let across = [here, there].map(|depth| depth.across.unwrap());
        assert_eq!(across[1].fraction, across[0].fraction);
        assert_eq!(there.cell - here.cell, 3);
        assert_eq!(across[1].cell - across[0].cell, 2);
    }
}
