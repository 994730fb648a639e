//! The dither that both canvases share: a threshold per pixel, a function of its place only.
//!
//! Thresholds follow the R2 sequence (Martin Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018),
//! whose neighbours differ widely: almost the evenness of blue noise without a table made by search.

/// Width and height of the tile in px; a power of two.
pub const TILE: usize = 64;

/// Thresholds in [1/512, 511/512], row by row: a value of `v` codes is shown as `floor(v + threshold)`.
///
/// Whole codes stay as they are, with 1/512 to spare for rounding.
pub fn tile() -> Vec<f32> {
    let threshold = |index: usize| {
        let (x, y) = ((index % TILE) as u32, (index / TILE) as u32);
        // The fractional parts of x / g + y / g^2, g the plastic number, as 32-bit fixed point.
        let phase = x
            .wrapping_mul(3_242_174_889)
            .wrapping_add(y.wrapping_mul(2_447_445_414));
        ((phase >> 24) as f32 + 0.5) / 256.0
    };
    (0..TILE * TILE).map(threshold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_even() {
        let tile = tile();
        let mean = tile.iter().sum::<f32>() / tile.len() as f32;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!(
            tile.iter()
                .all(|&threshold| (1.0 / 512.0..=511.0 / 512.0).contains(&threshold))
        );
        for block in 0..16 {
            let (x, y) = (block % 4 * 16, block / 4 * 16);
            let sum: f32 = (0..256)
                .map(|i| tile[(y + i / 16) * TILE + x + i % 16])
                .sum();
            assert!(
                (sum / 256.0 - 0.5).abs() < 0.02,
                "block {block}: {}",
                sum / 256.0
            );
        }
    }
}
