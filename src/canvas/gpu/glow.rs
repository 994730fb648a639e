//! Bloom on the GPU: the map that strokes fill, blurred near and wide.

use miniquad::{RenderingBackend, TextureId};

use super::layer::{Layer, Tools};
use super::programs::BlurUniforms;
use super::target::{Precision, Target};
use crate::canvas::{Bloom, Extent};

/// How many standard deviations a Gaussian reaches.
const REACH: f32 = 3.0;

/// The copies of a map, and what they were drawn from.
#[derive(Debug)]
pub struct Glow {
    size: (u32, u32),
    /// Room for a half-blurred copy, and the copy.
    near: [Target; 2],
    wide: [Target; 2],
}

impl Glow {
    /// Px of the map, in each direction, that the wide copy sums up before it is blurred.
    pub const COARSER: u32 = 4;

    /// Room for the copies of a map; `None` where the driver has no memory for it.
    fn new(
        context: &mut dyn RenderingBackend,
        (width, height): (u32, u32),
        precision: Precision,
    ) -> Option<Glow> {
        let coarse = (
            width.div_ceil(Glow::COARSER),
            height.div_ceil(Glow::COARSER),
        );
        let mut pair = |size| {
            let first = Target::light(context, size, precision)?;
            match Target::light(context, size, precision) {
                Some(second) => Some([first, second]),
                None => {
                    first.delete(context);
                    None
                }
            }
        };
        let near = pair((width, height))?;
        let Some(wide) = pair(coarse) else {
            near.into_iter().for_each(|target| target.delete(context));
            return None;
        };
        Some(Glow {
            size: (width, height),
            near,
            wide,
        })
    }

    /// The copies of a map's size, new where those there are have another.
    pub fn fitting(
        glow: Option<Glow>,
        context: &mut dyn RenderingBackend,
        size: (u32, u32),
        precision: Precision,
    ) -> Option<Glow> {
        match glow {
            Some(glow) if glow.size == size => Some(glow),
            other => {
                if let Some(glow) = other {
                    glow.delete(context);
                }
                Glow::new(context, size, precision)
            }
        }
    }

    /// Blurs a map whose light decays by this.
    pub fn draw(&self, tools: &mut Tools, map: &Layer, decay: f32, bloom: &Bloom) {
        let (light, motion_weight) = map.textures();
        let scale = 1.0 / Extent::GLOW_PITCH;
        let [near, wide] = [0, 1].map(|copy| bloom.radii[copy] * scale);
        let (width, height) = map.size();
        let first = BlurUniforms {
            size: [width as f32, height as f32],
            step_to: [1.0, 0.0],
            decay,
            motion_weight,
            deviation: near,
            reach: (near * REACH).ceil(),
            coarser: 1.0,
        };
        self.blur(tools, light, &self.near, &first);
        let wide = wide / Glow::COARSER as f32;
        let first = BlurUniforms {
            deviation: wide,
            reach: (wide * REACH).ceil(),
            coarser: Glow::COARSER as f32,
            ..first
        };
        self.blur(tools, light, &self.wide, &first);
    }

    /// Blurs along rows into the first target, and from there along columns into the second.
    fn blur(
        &self,
        tools: &mut Tools,
        light: [TextureId; 2],
        [half, whole]: &[Target; 2],
        first: &BlurUniforms,
    ) {
        half.begin(tools.context);
        tools.programs.blur(tools.context, light, first);
        tools.context.end_render_pass();
        let (width, height) = half.size();
        let second = BlurUniforms {
            size: [width as f32, height as f32],
            step_to: [0.0, 1.0],
            decay: 1.0,
            motion_weight: 0.0,
            coarser: 1.0,
            ..*first
        };
        whole.begin(tools.context);
        let light = [half.texture(); 2];
        tools.programs.blur(tools.context, light, &second);
        tools.context.end_render_pass();
    }

    /// The near and the wide copy.
    pub fn copies(&self) -> [&Target; 2] {
        [&self.near[1], &self.wide[1]]
    }

    /// Frees everything.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        for target in self.near.into_iter().chain(self.wide) {
            target.delete(context);
        }
    }
}
