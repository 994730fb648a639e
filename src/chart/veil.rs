//! A translucent chart for running water: computed at nodes a few px apart, and blended between them.

use glam::Vec2;

use super::{Aspect, Chart, Lattice};
use crate::pool::{Chunks, Pool};
use crate::sheet::{Ink, Sheet};

/// Logical px between two nodes, and between two arrows.
const NODES: f32 = 12.0;
const ARROWS: f32 = 40.0;

/// A whole in the fixed-point weights, as a shift.
const SHIFT: u32 = 8;

/// A sheet as large as a window, and room for its nodes; kept from one time to the next.
#[derive(Debug, Default)]
pub struct Veil {
    sheet: Sheet,
    columns: usize,
    nodes: Vec<Ink>,
}

impl Veil {
    /// What was painted last.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Paints a chart for a view of `size` device px, `scale` of them for each logical px.
    pub fn paint(&mut self, chart: &Chart, size: [u32; 2], scale: f32, pool: &Pool) {
        if self.sheet.size() != size {
            self.sheet = Sheet::new(size, [0; 2]);
        }
        self.sample(chart, pool);
        self.spread(NODES * scale, pool);
        if chart.aspect != Aspect::Color {
            chart.draw_arrows(&mut self.sheet, ARROWS, scale);
        }
    }

    /// Takes the colors of the nodes, the first in the corner of the window and the last beyond it.
    fn sample(&mut self, chart: &Chart, pool: &Pool) {
        let [columns, rows] = chart
            .window
            .to_array()
            .map(|side| (side / NODES).ceil() as usize + 2);
        let lattice = Lattice {
            first: Vec2::ZERO,
            pitch: Vec2::splat(NODES),
            columns,
            rows,
        };
        self.columns = columns;
        self.nodes.resize(columns * rows, [0; 4]);
        let lines = Chunks::new(&mut self.nodes, columns);
        pool.for_each(lines, |row, line| {
            let mut shares = vec![0.0; columns];
            chart.shares(&lattice, row, &mut shares);
            for (node, share) in line.iter_mut().zip(shares) {
                *node = veiled(chart, share);
            }
        });
    }

    /// Blends between the nodes, which lie `pitch` device px apart.
    fn spread(&mut self, pitch: f32, pool: &Pool) {
        let [width, _] = self.sheet.size().map(|side| side as usize);
        let (nodes, columns) = (&self.nodes, self.columns);
        let cells: Vec<u16> = (0..width).map(|x| cell(x, pitch).0 as u16).collect();
        let weights: Vec<u16> = (0..width).map(|x| cell(x, pitch).1).collect();
        let lines = Chunks::new(self.sheet.pixels_mut(), width * 4);
        pool.for_each(lines, |y, line| {
            let (row, down) = cell(y, pitch);
            let [above, below] = [row, row + 1].map(|row| &nodes[row * columns..][..columns]);
            let between: Vec<[u16; 4]> = above
                .iter()
                .zip(below)
                .map(|(above, below)| mixed(*above, *below, down))
                .collect();
            let pixels = line.as_chunks_mut::<4>().0;
            for ((px, cell), weight) in pixels.iter_mut().zip(&cells).zip(&weights) {
                let [from, to] = [0, 1].map(|next| between[usize::from(*cell) + next]);
                for channel in 0..4 {
                    let [from, to] = [from[channel], to[channel]];
                    px[channel] = ((from * ((1 << SHIFT) - weight) + to * weight) >> SHIFT) as u8;
                }
            }
        });
    }
}

/// The color of a node: what matters most covers most.
fn veiled(chart: &Chart, share: f32) -> Ink {
    let [red, green, blue, _] = chart.ink(share);
    let cover = match chart.aspect {
        Aspect::Value | Aspect::Vector | Aspect::Angle | Aspect::Color => 0.5,
        // What does not turn lets all water through.
        Aspect::Curl => 0.12 + 0.6 * (share.clamp(0.0, 1.0) * 2.0 - 1.0).abs(),
    };
    [red, green, blue, (cover * 255.0 + 0.5) as u8]
}

/// The node before a px, and the way to the next.
fn cell(at: usize, pitch: f32) -> (usize, u16) {
    let place = (at as f32 + 0.5) / pitch;
    let whole = place as usize;
    let way = (place - whole as f32) * (1 << SHIFT) as f32;
    (whole, way as u16)
}

/// Both colors by weight.
fn mixed(from: Ink, to: Ink, weight: u16) -> [u16; 4] {
    std::array::from_fn(|channel| {
        let [from, to] = [from[channel], to[channel]].map(u16::from);
        (from * ((1 << SHIFT) - weight) + to * weight) >> SHIFT
    })
}
