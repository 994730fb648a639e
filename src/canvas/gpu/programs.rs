//! The shader programs, what they take, and how they blend.

use miniquad::{
    BlendFactor, BlendState, BlendValue, BufferId, BufferLayout, BufferSource, BufferType,
    BufferUsage, Equation, Pipeline, PipelineParams, RenderingBackend, ShaderError, ShaderId,
    ShaderMeta, ShaderSource, TextureId, UniformBlockLayout, UniformDesc, UniformType,
    UniformsSource, VertexAttribute, VertexFormat, VertexStep,
};

use super::path::Quads;
use super::raw;
use super::segments::{Batch, CORNERS, MOST_EXPANDED};

const QUAD_VERTEX: &str = include_str!("../shaders/quad.vert.glsl");
const FADE_FRAGMENT: &str = include_str!("../shaders/fade.frag.glsl");
const TRANSFER_FRAGMENT: &str = include_str!("../shaders/transfer.frag.glsl");
const STROKE_VERTEX: &str = include_str!("../shaders/stroke.vert.glsl");
const STROKE_FRAGMENT: &str = include_str!("../shaders/stroke.frag.glsl");
const BLUR_FRAGMENT: &str = include_str!("../shaders/blur.frag.glsl");
const COMPOSE_FRAGMENT: &str = include_str!("../shaders/compose.frag.glsl");
const TONE_FRAGMENT: &str = include_str!("../shaders/tone.frag.glsl");
const DISSOLVE_FRAGMENT: &str = include_str!("../shaders/dissolve.frag.glsl");

/// What `tone.frag.glsl` reads.
const TONE_IMAGES: [&str; 6] = [
    "light",
    "motion",
    "thresholds",
    "ground",
    "near_glow",
    "wide_glow",
];

/// Corners of the unit square, and the two triangles that fill it.
const SQUARE: [[f32; 2]; CORNERS] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
const TRIANGLES: [u16; 6] = [0, 1, 2, 0, 2, 3];

/// Declares a struct of uniforms and its description from one list; miniquad packs them without gaps.
macro_rules! uniforms {
    ($(#[$comment:meta])* $name:ident { $($field:ident: $type:ty = $kind:ident,)* }) => {
        $(#[$comment])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $name {
            $(pub $field: $type,)*
        }

        impl $name {
            const LAYOUT: &'static [(&'static str, UniformType)] =
                &[$((stringify!($field), UniformType::$kind)),*];
        }
    };
}

uniforms! {
    /// What `fade.frag.glsl` takes.
    FadeUniforms {
        color: [f32; 4] = Float4,
    }
}

uniforms! {
    /// What `transfer.frag.glsl` takes.
    TransferUniforms {
        light_size: [f32; 2] = Float2,
        stretch: f32 = Float1,
        keep: f32 = Float1,
        least_light: f32 = Float1,
    }
}

uniforms! {
    /// What the two stroke shaders take.
    StrokeUniforms {
        size: [f32; 2] = Float2,
        scale: f32 = Float1,
        shift: [f32; 2] = Float2,
        widths: [f32; 2] = Float2,
        fraction: f32 = Float1,
        colors: f32 = Float1,
        alpha: f32 = Float1,
        most_alpha: f32 = Float1,
        added: f32 = Float1,
        share: f32 = Float1,
    }
}

uniforms! {
    /// What `compose.frag.glsl` takes.
    ComposeUniforms {
        size: [f32; 2] = Float2,
        origin: [f32; 2] = Float2,
        direction: [f32; 2] = Float2,
        decay: f32 = Float1,
        motion_weight: f32 = Float1,
        tile: f32 = Float1,
        background: [f32; 3] = Float3,
    }
}

uniforms! {
    /// What `tone.frag.glsl` takes.
    ToneUniforms {
        size: [f32; 2] = Float2,
        origin: [f32; 2] = Float2,
        direction: [f32; 2] = Float2,
        decay: f32 = Float1,
        motion_weight: f32 = Float1,
        tile: f32 = Float1,
        background: [f32; 3] = Float3,
        ground_size: [f32; 2] = Float2,
        near_size: [f32; 2] = Float2,
        wide_size: [f32; 2] = Float2,
        glow_shares: [f32; 2] = Float2,
        pitches: [f32; 3] = Float3,
        blend: f32 = Float1,
        exposure: f32 = Float1,
        rounds: f32 = Float1,
    }
}

uniforms! {
    /// What `dissolve.frag.glsl` takes.
    DissolveUniforms {
        size: [f32; 2] = Float2,
        origin: [f32; 2] = Float2,
        direction: [f32; 2] = Float2,
        tile: f32 = Float1,
        share: f32 = Float1,
    }
}

uniforms! {
    /// What `blur.frag.glsl` takes.
    BlurUniforms {
        size: [f32; 2] = Float2,
        step_to: [f32; 2] = Float2,
        decay: f32 = Float1,
        motion_weight: f32 = Float1,
        deviation: f32 = Float1,
        reach: f32 = Float1,
        coarser: f32 = Float1,
    }
}

/// The programs and the unit squares that all of them draw.
#[derive(Debug)]
pub struct Programs {
    quads: Quads,
    fade: Program,
    subtract: Program,
    transfer: Program,
    stroke: Program,
    blur: Program,
    compose: Program,
    tone: Program,
    dissolve: Program,
    corners: BufferId,
    triangles: BufferId,
}

impl Programs {
    /// Compiles and links everything.
    ///
    /// # Errors
    ///
    /// What the driver says about a shader.
    pub fn new(context: &mut dyn RenderingBackend, quads: Quads) -> Result<Programs, ShaderError> {
        use BlendFactor::{One, OneMinusValue, Zero};
        use Equation::{Add, ReverseSubtract};
        let under = OneMinusValue(BlendValue::SourceAlpha);
        let (per_segment, squares) = match quads {
            Quads::Instanced => (VertexStep::PerInstance, 1),
            Quads::Expanded => (VertexStep::PerVertex, MOST_EXPANDED),
        };
        let quad = |fragment, images, uniforms, blend| Source {
            vertex: QUAD_VERTEX,
            fragment,
            images,
            uniforms,
            blend,
            per_segment: None,
        };
        let taking = |blend| quad(FADE_FRAGMENT, &[], FadeUniforms::LAYOUT, Some(blend));
        let transfer = quad(
            TRANSFER_FRAGMENT,
            &["light"],
            TransferUniforms::LAYOUT,
            None,
        );
        let images = &["light", "motion"];
        let blur = quad(BLUR_FRAGMENT, images, BlurUniforms::LAYOUT, None);
        let images = &["light", "motion", "thresholds"];
        let compose = quad(COMPOSE_FRAGMENT, images, ComposeUniforms::LAYOUT, None);
        let tone = quad(TONE_FRAGMENT, &TONE_IMAGES, ToneUniforms::LAYOUT, None);
        let images = &["coming", "leaving", "thresholds"];
        let dissolve = quad(DISSOLVE_FRAGMENT, images, DissolveUniforms::LAYOUT, None);
        let stroke = Source {
            vertex: STROKE_VERTEX,
            fragment: STROKE_FRAGMENT,
            images: &["palette"],
            uniforms: StrokeUniforms::LAYOUT,
            blend: Some(BlendState::new(Add, One, under)),
            per_segment: Some(per_segment),
        };
        let fade = taking(BlendState::new(Add, Zero, under));
        let subtract = taking(BlendState::new(ReverseSubtract, One, One));
        let (corners, triangles) = new_squares(context, squares);
        Ok(Programs {
            quads,
            fade: Program::new(context, &fade)?,
            subtract: Program::new(context, &subtract)?,
            transfer: Program::new(context, &transfer)?,
            stroke: Program::new(context, &stroke)?,
            blur: Program::new(context, &blur)?,
            compose: Program::new(context, &compose)?,
            tone: Program::new(context, &tone)?,
            dissolve: Program::new(context, &dissolve)?,
            corners,
            triangles,
        })
    }

    /// Multiplies the light of the pass that has begun.
    pub fn fade(&self, context: &mut dyn RenderingBackend, keep: f32) {
        let uniforms = FadeUniforms {
            color: [0.0, 0.0, 0.0, 1.0 - keep],
        };
        self.draw_quad(context, &self.fade, &[], UniformsSource::table(&uniforms));
    }

    /// Takes `amount` from every channel of the pass that has begun, down to 0 at least where it holds codes.
    pub fn subtract(&self, context: &mut dyn RenderingBackend, amount: f32) {
        let uniforms = FadeUniforms { color: [amount; 4] };
        self.draw_quad(
            context,
            &self.subtract,
            &[],
            UniformsSource::table(&uniforms),
        );
    }

    /// Copies light into the pass that has begun.
    pub fn transfer(
        &self,
        context: &mut dyn RenderingBackend,
        light: TextureId,
        uniforms: &TransferUniforms,
    ) {
        self.draw_quad(
            context,
            &self.transfer,
            &[light],
            UniformsSource::table(uniforms),
        );
    }

    /// Draws the frame over the whole pass that has begun.
    pub fn compose(
        &self,
        context: &mut dyn RenderingBackend,
        images: [TextureId; 3],
        uniforms: &ComposeUniforms,
    ) {
        self.draw_quad(
            context,
            &self.compose,
            &images,
            UniformsSource::table(uniforms),
        );
    }

    /// The same of a frame that is more than paint in codes over one color.
    pub fn tone(
        &self,
        context: &mut dyn RenderingBackend,
        images: [TextureId; 6],
        uniforms: &ToneUniforms,
    ) {
        let uniforms = UniformsSource::table(uniforms);
        self.draw_quad(context, &self.tone, &images, uniforms);
    }

    /// Draws a frame of two pictures over the whole pass that has begun.
    pub fn dissolve(
        &self,
        context: &mut dyn RenderingBackend,
        images: [TextureId; 3],
        uniforms: &DissolveUniforms,
    ) {
        let uniforms = UniformsSource::table(uniforms);
        self.draw_quad(context, &self.dissolve, &images, uniforms);
    }

    /// Blurs light and motion into the pass that has begun.
    pub fn blur(
        &self,
        context: &mut dyn RenderingBackend,
        images: [TextureId; 2],
        uniforms: &BlurUniforms,
    ) {
        self.draw_quad(
            context,
            &self.blur,
            &images,
            UniformsSource::table(uniforms),
        );
    }

    /// Strokes segments into the pass that has begun.
    pub fn stroke(
        &self,
        context: &mut dyn RenderingBackend,
        batches: impl Iterator<Item = Batch>,
        palette: TextureId,
        uniforms: &StrokeUniforms,
    ) {
        context.apply_pipeline(&self.stroke.pipeline);
        raw::set_alpha_share(context, uniforms.share);
        for (segments, count) in batches {
            let vertices = [self.corners, segments];
            context.apply_bindings_from_slice(&vertices, self.triangles, &[palette]);
            context.apply_uniforms(UniformsSource::table(uniforms));
            let (quads, instances) = match self.quads {
                Quads::Instanced => (1, count),
                Quads::Expanded => (count, 1),
            };
            let indices = TRIANGLES.len() * quads;
            context.draw(0, indices as i32, instances as i32);
        }
        raw::set_alpha_share(context, 1.0);
    }

    fn draw_quad(
        &self,
        context: &mut dyn RenderingBackend,
        program: &Program,
        images: &[TextureId],
        uniforms: UniformsSource,
    ) {
        context.apply_pipeline(&program.pipeline);
        context.apply_bindings_from_slice(&[self.corners], self.triangles, images);
        context.apply_uniforms(uniforms);
        context.draw(0, TRIANGLES.len() as i32, 1);
    }

    /// Frees everything.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        for program in [
            self.fade,
            self.subtract,
            self.transfer,
            self.stroke,
            self.blur,
            self.compose,
            self.tone,
            self.dissolve,
        ] {
            context.delete_pipeline(program.pipeline);
            context.delete_shader(program.shader);
        }
        context.delete_buffer(self.corners);
        context.delete_buffer(self.triangles);
    }
}

/// One program as it is written.
struct Source {
    vertex: &'static str,
    fragment: &'static str,
    images: &'static [&'static str],
    uniforms: &'static [(&'static str, UniformType)],
    /// For color and alpha alike.
    blend: Option<BlendState>,
    /// When it takes the next entry of a buffer of segments, if it takes any.
    per_segment: Option<VertexStep>,
}

/// One program as it is drawn with.
#[derive(Debug)]
struct Program {
    shader: ShaderId,
    pipeline: Pipeline,
}

impl Program {
    fn new(context: &mut dyn RenderingBackend, source: &Source) -> Result<Program, ShaderError> {
        let uniforms = source
            .uniforms
            .iter()
            .map(|&(name, kind)| UniformDesc::new(name, kind));
        let meta = ShaderMeta {
            images: source.images.iter().map(ToString::to_string).collect(),
            uniforms: UniformBlockLayout {
                uniforms: uniforms.collect(),
            },
        };
        let glsl = ShaderSource::Glsl {
            vertex: source.vertex,
            fragment: source.fragment,
        };
        let shader = context.new_shader(glsl, meta)?;

        let mut attributes = vec![VertexAttribute::new("corner", VertexFormat::Float2)];
        let mut buffers = vec![BufferLayout::default()];
        if let Some(step_func) = source.per_segment {
            attributes.push(VertexAttribute::with_buffer(
                "ends",
                VertexFormat::Float4,
                1,
            ));
            attributes.push(VertexAttribute::with_buffer("ink", VertexFormat::Float1, 1));
            buffers.push(BufferLayout {
                step_func,
                ..BufferLayout::default()
            });
        }
        let params = PipelineParams {
            color_blend: source.blend,
            ..PipelineParams::default()
        };
        let pipeline = context.new_pipeline(&buffers, &attributes, shader, params);
        Ok(Program { shader, pipeline })
    }
}

/// The corners of this many unit squares, and the triangles that fill them.
fn new_squares(context: &mut dyn RenderingBackend, count: usize) -> (BufferId, BufferId) {
    let corners = SQUARE.repeat(count);
    let indices: Vec<u16> = (0..count)
        .flat_map(|square| TRIANGLES.map(|corner| (square * CORNERS) as u16 + corner))
        .collect();
    let corners = context.new_buffer(
        BufferType::VertexBuffer,
        BufferUsage::Immutable,
        BufferSource::slice(&corners),
    );
    let triangles = context.new_buffer(
        BufferType::IndexBuffer,
        BufferUsage::Immutable,
        BufferSource::slice(&indices),
    );
    (corners, triangles)
}
