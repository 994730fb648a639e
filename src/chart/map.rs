//! A map of the field with a color for every px.

use super::{Aspect, Chart, Lattice};
use crate::pool::{Chunks, Pool};
use crate::sheet::Sheet;

/// Logical px from one arrow to the next in a picture.
const ARROWS: f32 = 32.0;

/// Paints a chart of the window of one px for each logical px.
pub fn map(chart: &Chart, size: [u32; 2], pool: &Pool) -> Sheet {
    let [columns, rows] = size.map(|side| side as usize);
    let lattice = Lattice::over(chart.window, [columns, rows]);
    let mut sheet = Sheet::new(size, [0; 2]);
    let lines = Chunks::new(sheet.pixels_mut(), columns * 4);
    pool.for_each(lines, |row, line| {
        let mut shares = vec![0.0; columns];
        chart.shares(&lattice, row, &mut shares);
        for (px, share) in line.as_chunks_mut::<4>().0.iter_mut().zip(shares) {
            *px = chart.ink(share);
        }
    });
    if chart.aspect == Aspect::Vector {
        chart.draw_arrows(&mut sheet, ARROWS, 1.0);
    }
    sheet
}
