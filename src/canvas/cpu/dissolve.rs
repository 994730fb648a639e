//! Two pictures in one frame, mixed in linear light before they are dithered.

use super::{Channels, CpuCanvas, nearest_code};
use crate::canvas::transfer::{linear, srgb};
use crate::canvas::{Canvas, Extent, Frame, Leaving};
use crate::dither;
use crate::pool::Chunks;
use crate::simd::clones;

/// The picture that leaves, and room for both.
#[derive(Debug)]
pub(super) struct Other {
    pub canvas: CpuCanvas,
    coming: Vec<[f32; 3]>,
    leaving: Vec<[f32; 3]>,
}

impl CpuCanvas {
    /// What it holds becomes the picture that leaves.
    pub(super) fn part_from(&mut self) {
        let empty = CpuCanvas::band(self.extent(), self.layer.band(), self.pool.clone());
        let mut canvas = std::mem::replace(self, empty);
        // Two at a time are enough.
        canvas.other = None;
        std::mem::swap(&mut self.pixels, &mut canvas.pixels);
        self.other = Some(Box::new(Other {
            canvas,
            coming: Vec::new(),
            leaving: Vec::new(),
        }));
    }

    /// Writes a frame of both pictures to pixels, where there are two.
    pub(super) fn present_both(&mut self, frame: &Frame, channels: Channels, pixels: &mut [u8]) {
        let Some((leaving, mut other)) = frame.leaving.as_ref().zip(self.other.take()) else {
            return;
        };
        // Nothing is seen yet of the one that comes: the same bits as without it.
        if leaving.share >= 1.0 {
            other.canvas.present_to(&leaving.frame, channels, pixels);
            self.other = Some(other);
            return;
        }
        let width = self.extent().width as usize;
        let mut coming = std::mem::take(&mut other.coming);
        coming.resize(pixels.len() / 4, [0.0; 3]);
        self.develop_both(frame, leaving, &mut other, &mut coming);
        let (level, first) = (self.pool.level(), self.rows().start as usize);
        let thresholds = self.thresholds.as_chunks::<{ dither::TILE }>().0;
        let rows = self.layer.strip_rows(&self.pool);
        let strips = Chunks::new(pixels, rows * width * 4);
        let rgb = &coming;
        self.pool.for_each(strips, |number, pixels| {
            let top = number * rows;
            let rgb = rgb[top * width..].chunks(width);
            for (row, (pixels, rgb)) in pixels.chunks_mut(width * 4).zip(rgb).enumerate() {
                let thresholds = &thresholds[(first + top + row) % dither::TILE];
                dither_row(level, pixels, channels, rgb, thresholds);
            }
        });
        other.coming = coming;
        self.other = Some(other);
    }

    /// The same as sRGB in [0, 1], neither dithered nor rounded.
    pub(super) fn develop_frame_of_both(&mut self, frame: &Frame, rgb: &mut [[f32; 3]]) {
        if let Some((leaving, mut other)) = frame.leaving.as_ref().zip(self.other.take()) {
            self.develop_both(frame, leaving, &mut other, rgb);
            self.other = Some(other);
        }
    }

    fn develop_both(
        &mut self,
        frame: &Frame,
        leaving: &Leaving,
        other: &mut Other,
        rgb: &mut [[f32; 3]],
    ) {
        if leaving.share >= 1.0 {
            other.canvas.develop_alone(&leaving.frame, rgb);
            return;
        }
        self.develop_alone(frame, rgb);
        other.leaving.resize(rgb.len(), [0.0; 3]);
        other
            .canvas
            .develop_alone(&leaving.frame, &mut other.leaving);
        let length = self.layer.strip_rows(&self.pool) * self.extent().width as usize;
        let (level, share, before) = (self.pool.level(), leaving.share, &other.leaving);
        self.pool.for_each(Chunks::new(rgb, length), |number, rgb| {
            let before = &before[number * length..][..rgb.len()];
            mix(level, rgb.as_flattened_mut(), before.as_flattened(), share);
        });
    }

    /// Gives both pictures another size.
    pub(super) fn resize_other(&mut self, extent: Extent) {
        if let Some(other) = &mut self.other {
            other.canvas.resize(extent);
        }
    }
}

clones! {
    /// Mixes sRGB in linear light: of what leaves this share is left.
    fn mix(coming: &mut [f32], leaving: &[f32], share: f32) {
        for (coming, leaving) in coming.iter_mut().zip(leaving) {
            let light = linear(*coming);
            *coming = srgb(light + (linear(*leaving) - light) * share);
        }
    }
}

clones! {
    /// Dithers a row of sRGB to 8 bits.
    fn dither_row(
        pixels: &mut [u8],
        channels: Channels,
        rgb: &[[f32; 3]],
        thresholds: &[f32; dither::TILE],
    ) {
        let (first, last) = match channels {
            Channels::Rgba => (0, 2),
            Channels::Bgra => (2, 0),
        };
        for (pixels, rgb) in pixels
            .chunks_mut(dither::TILE * 4)
            .zip(rgb.chunks(dither::TILE))
        {
            for ((pixel, rgb), threshold) in pixels.chunks_mut(4).zip(rgb).zip(thresholds) {
                let code = |channel: usize| nearest_code(rgb[channel] * 255.0 + (threshold - 0.5));
                pixel.copy_from_slice(&[code(first), code(1), code(last), 255]);
            }
        }
    }
}
