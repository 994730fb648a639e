//! Weighted sums of 16-bit integers, for interpolating: four lanes of a node at a time, and exact, so that the
//! instructions of x86-64 and plain arithmetic give the same bits.

/// Four numbers that belong together, of which the last is not used.
pub type Node = [i16; 4];

/// The lanes of a weighted sum of nodes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Blend(std::arch::x86_64::__m128i);

/// The lanes of a weighted sum of nodes.
#[cfg(not(target_arch = "x86_64"))]
pub type Blend = plain::Blend;

/// The weights of four nodes around a place that is `x` and `y` on the way, in [0, 1], from left to right and from upper to
/// lower: first of those on the left, then of those on the right, each with that of the upper one in its low half. They
/// are integers that add up to `one`, which is at most 32767.
#[inline(always)]
pub fn weights(x: f32, y: f32, one: f32) -> [u32; 2] {
    let right = x * one;
    let (lower, corner) = (rounded(y * one), rounded(right * y));
    let right = rounded(right);
    let upper_left = rounded(one)
        .wrapping_sub(right)
        .wrapping_sub(lower)
        .wrapping_add(corner);
    [
        // Rounding may have made it -1.
        upper_left & 0xffff | lower.wrapping_sub(corner) << 16,
        right.wrapping_sub(corner) | corner << 16,
    ]
}

/// The nearest integer to `x` in [0, 2^22].
#[inline(always)]
fn rounded(x: f32) -> u32 {
    const ROUND: f32 = 12_582_912.0;
    (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits())
}

/// The sum of two nodes above and two below, by [`weights`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn blend(upper: &[Node; 2], lower: &[Node; 2], [left, right]: [u32; 2]) -> Blend {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_set1_epi32, _mm_unpackhi_epi16,
        _mm_unpacklo_epi16,
    };
    // SAFETY: every x86-64 has SSE2, and both references are to 16 bytes.
    unsafe {
        let upper = _mm_loadu_si128((&raw const *upper).cast());
        let lower = _mm_loadu_si128((&raw const *lower).cast());
        // Each number beside the one below it, as the weights lie.
        let (left, right) = (left.cast_signed(), right.cast_signed());
        Blend(_mm_add_epi32(
            _mm_madd_epi16(_mm_unpacklo_epi16(upper, lower), _mm_set1_epi32(left)),
            _mm_madd_epi16(_mm_unpackhi_epi16(upper, lower), _mm_set1_epi32(right)),
        ))
    }
}

/// Four sums as numbers: the first two lanes of each times `pair_unit`, and the third lanes times `unit`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn scaled(
    [a, b, c, d]: [Blend; 4],
    pair_unit: f32,
    unit: f32,
    pairs: &mut [[f32; 2]; 4],
    thirds: &mut [f32; 4],
) {
    use std::arch::x86_64::{
        _mm_cvtepi32_ps, _mm_mul_ps, _mm_set1_ps, _mm_storeu_ps, _mm_unpackhi_epi32,
        _mm_unpacklo_epi64,
    };
    // SAFETY: every x86-64 has SSE2, and what is stored is as large as where it goes.
    unsafe {
        let third = _mm_unpacklo_epi64(_mm_unpackhi_epi32(a.0, b.0), _mm_unpackhi_epi32(c.0, d.0));
        let numbers = [
            _mm_unpacklo_epi64(a.0, b.0),
            _mm_unpacklo_epi64(c.0, d.0),
            third,
        ];
        let [ab, cd, third] = numbers.map(|lanes| _mm_cvtepi32_ps(lanes));
        let pair_unit = _mm_set1_ps(pair_unit);
        let pairs: *mut f32 = (&raw mut *pairs).cast();
        _mm_storeu_ps(pairs, _mm_mul_ps(ab, pair_unit));
        _mm_storeu_ps(pairs.add(4), _mm_mul_ps(cd, pair_unit));
        let third = _mm_mul_ps(third, _mm_set1_ps(unit));
        _mm_storeu_ps(thirds.as_mut_ptr(), third);
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub use plain::{blend, scaled};

/// The same by plain arithmetic.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    use super::Node;

    pub type Blend = [i32; 4];

    #[inline(always)]
    pub fn blend(upper: &[Node; 2], lower: &[Node; 2], weights: [u32; 2]) -> Blend {
        std::array::from_fn(|lane| {
            (0..2)
                .map(|side| {
                    let [above, below] =
                        [weights[side] as i16, (weights[side] >> 16) as i16].map(i32::from);
                    above * i32::from(upper[side][lane]) + below * i32::from(lower[side][lane])
                })
                .sum()
        })
    }

    #[inline(always)]
    pub fn scaled(
        sums: [Blend; 4],
        pair_unit: f32,
        unit: f32,
        pairs: &mut [[f32; 2]; 4],
        thirds: &mut [f32; 4],
    ) {
        for (([x, y, third, _], pair), lane) in sums.into_iter().zip(pairs).zip(thirds) {
            *pair = [x as f32 * pair_unit, y as f32 * pair_unit];
            *lane = third as f32 * unit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: f32 = 32_767.0;

    #[test]
    fn weights_add_up() {
        for x in 0..=700 {
            for y in 0..=700 {
                let (x, y) = (x as f32 / 700.0, y as f32 / 700.0);
                let halves = weights(x, y, ONE)
                    .map(|both| [both as i16, (both >> 16) as i16].map(f32::from));
                let [[upper_left, lower_left], [upper_right, lower_right]] = halves;
                let sum = upper_left + lower_left + upper_right + lower_right;
                assert_eq!(sum, ONE, "{x} {y}: {halves:?}");
                for (weight, share) in [
                    (upper_left, (1.0 - x) * (1.0 - y)),
                    (lower_left, (1.0 - x) * y),
                    (upper_right, x * (1.0 - y)),
                    (lower_right, x * y),
                ] {
                    assert!((weight - share * ONE).abs() < 1.6, "{x} {y}: {halves:?}");
                }
            }
        }
    }

    #[test]
    fn instructions_and_plain_arithmetic_give_the_same_bits() {
        let corners: [[Node; 2]; 4] = [
            [[32767, -32767, 0, 0], [-32767, 32767, 1, 0]],
            [[-32767, -32767, 32767, 0], [12, -345, 6789, 0]],
            [[1, 2, 3, 0], [4, 5, 6, 0]],
            [[-1, 32767, 20000, 0], [0, 0, 0, 0]],
        ];
        for (x, y) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (0.0, 1.0),
            (0.3, 0.8),
            (0.999, 0.001),
        ] {
            let weights = weights(x, y, ONE);
            let pairs_of = |i: usize| (&corners[i], &corners[(i + 1) % 4]);
            let sums = [0, 1, 2, 3].map(|i| blend(pairs_of(i).0, pairs_of(i).1, weights));
            let plain = [0, 1, 2, 3].map(|i| plain::blend(pairs_of(i).0, pairs_of(i).1, weights));
            let (mut pairs, mut thirds) = ([[0.0; 2]; 4], [0.0; 4]);
            let (mut plain_pairs, mut plain_thirds) = ([[0.0; 2]; 4], [0.0; 4]);
            scaled(sums, 1.4e-9, 0.7e-9, &mut pairs, &mut thirds);
            plain::scaled(plain, 1.4e-9, 0.7e-9, &mut plain_pairs, &mut plain_thirds);
            assert_eq!((pairs, thirds), (plain_pairs, plain_thirds), "{x} {y}");
        }
    }
}
