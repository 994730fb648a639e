//! Random numbers without a state: each is a function of what it is for.

/// A 32-bit mixing function without visible structure (Chris Wellons, "Prospecting for Hash Functions", 2018:
/// lowbias32).
#[inline]
pub fn lowbias32(value: u32) -> u32 {
    let mut x = value;
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// 32 random bits for item `index` of stream `stream` under `seed`.
///
/// The stream enters twice, so that two streams are not one sequence shifted.
#[inline]
pub fn random_bits(seed: u32, stream: u64, index: u32) -> u32 {
    let low = lowbias32(seed ^ lowbias32(stream as u32));
    let high = lowbias32(low.wrapping_add(0x9e37_79b9) ^ (stream >> 32) as u32);
    lowbias32(lowbias32(index ^ low).wrapping_add(high))
}

/// The upper 24 bits as a number in [0, 1).
#[inline]
pub fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the published function, computed in another language.
    #[test]
    fn lowbias32_is_the_published_function() {
        let values = [
            (0, 0x0000_0000),
            (1, 0x6889_90c0),
            (2, 0xd113_2181),
            (0xdead_beef, 0xe628_c683),
            (u32::MAX, 0x6768_824a),
        ];
        for (value, expected) in values {
            assert_eq!(lowbias32(value), expected, "{value}");
        }
    }

    #[test]
    fn neighbouring_streams_and_items_are_independent() {
        let mut sum = 0.0;
        let count = 100_000u32;
        for index in 0..count {
            let here = f64::from(unit(random_bits(1, u64::from(index % 7), index))) - 0.5;
            let next = f64::from(unit(random_bits(1, u64::from(index % 7) + 1, index))) - 0.5;
            let beside = f64::from(unit(random_bits(1, u64::from(index % 7), index + 1))) - 0.5;
            sum += here * next + here * beside;
        }
        assert!((sum * 12.0 / f64::from(count)).abs() < 0.02, "{sum}");
        assert!(unit(u32::MAX) < 1.0);
    }
}
