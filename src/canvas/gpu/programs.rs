//! The four shader programs, what they take, and how they blend.

use miniquad::{
    BlendFactor, BlendState, BlendValue, BufferId, BufferLayout, BufferSource, BufferType,
    BufferUsage, Equation, Pipeline, PipelineParams, RenderingBackend, ShaderError, ShaderId,
    ShaderMeta, ShaderSource, TextureId, UniformBlockLayout, UniformDesc, UniformType,
    UniformsSource, VertexAttribute, VertexFormat, VertexStep,
};

const QUAD_VERTEX: &str = include_str!("../shaders/quad.vert.glsl");
const FADE_FRAGMENT: &str = include_str!("../shaders/fade.frag.glsl");
const TRANSFER_FRAGMENT: &str = include_str!("../shaders/transfer.frag.glsl");
const STROKE_VERTEX: &str = include_str!("../shaders/stroke.vert.glsl");
const STROKE_FRAGMENT: &str = include_str!("../shaders/stroke.frag.glsl");
const COMPOSE_FRAGMENT: &str = include_str!("../shaders/compose.frag.glsl");

/// Corners of the unit square, and the two triangles that fill it.
const CORNERS: [[f32; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
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
        keep: f32 = Float1,
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
        width: f32 = Float1,
        fraction: f32 = Float1,
        colors: f32 = Float1,
        transmission: f32 = Float1,
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

/// The programs and the unit square that all of them draw.
#[derive(Debug)]
pub struct Programs {
    fade: Program,
    transfer: Program,
    stroke: Program,
    compose: Program,
    corners: BufferId,
    triangles: BufferId,
}

impl Programs {
    /// Compiles and links everything.
    ///
    /// # Errors
    ///
    /// What the driver says about a shader.
    pub fn new(context: &mut dyn RenderingBackend) -> Result<Programs, ShaderError> {
        use BlendFactor::{One, OneMinusValue, Zero};
        let under = OneMinusValue(BlendValue::SourceAlpha);
        let quad = |fragment, images, uniforms, blend| Source {
            vertex: QUAD_VERTEX,
            fragment,
            images,
            uniforms,
            blend,
            instances: &[],
        };
        let fade = quad(
            FADE_FRAGMENT,
            &[],
            FadeUniforms::LAYOUT,
            Some((Zero, under)),
        );
        let transfer = quad(
            TRANSFER_FRAGMENT,
            &["light"],
            TransferUniforms::LAYOUT,
            None,
        );
        let images = &["light", "motion", "thresholds"];
        let compose = quad(COMPOSE_FRAGMENT, images, ComposeUniforms::LAYOUT, None);
        let stroke = Source {
            vertex: STROKE_VERTEX,
            fragment: STROKE_FRAGMENT,
            images: &["palette"],
            uniforms: StrokeUniforms::LAYOUT,
            blend: Some((One, under)),
            instances: &[
                ("ends", VertexFormat::Float4),
                ("value", VertexFormat::Float1),
            ],
        };
        Ok(Programs {
            fade: Program::new(context, &fade)?,
            transfer: Program::new(context, &transfer)?,
            stroke: Program::new(context, &stroke)?,
            compose: Program::new(context, &compose)?,
            corners: context.new_buffer(
                BufferType::VertexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&CORNERS),
            ),
            triangles: context.new_buffer(
                BufferType::IndexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&TRIANGLES),
            ),
        })
    }

    /// Multiplies the light of the pass that has begun.
    pub fn fade(&self, context: &mut dyn RenderingBackend, uniforms: &FadeUniforms) {
        self.draw_quad(context, &self.fade, &[], UniformsSource::table(uniforms));
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
        [light, motion, thresholds]: [TextureId; 3],
        uniforms: &ComposeUniforms,
    ) {
        let images = [light, motion, thresholds];
        self.draw_quad(
            context,
            &self.compose,
            &images,
            UniformsSource::table(uniforms),
        );
    }

    /// Strokes the first `count` segments of a buffer into the pass that has begun.
    pub fn stroke(
        &self,
        context: &mut dyn RenderingBackend,
        (segments, count): (BufferId, usize),
        palette: TextureId,
        uniforms: &StrokeUniforms,
    ) {
        context.apply_pipeline(&self.stroke.pipeline);
        let vertices = [self.corners, segments];
        context.apply_bindings_from_slice(&vertices, self.triangles, &[palette]);
        context.apply_uniforms(UniformsSource::table(uniforms));
        context.draw(0, TRIANGLES.len() as i32, count as i32);
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
        for program in [self.fade, self.transfer, self.stroke, self.compose] {
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
    /// Factors of source and target, for color and alpha alike.
    blend: Option<(BlendFactor, BlendFactor)>,
    /// Attributes that advance once per instance, in their order in memory.
    instances: &'static [(&'static str, VertexFormat)],
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
        let instances = source.instances.iter();
        attributes
            .extend(instances.map(|&(name, kind)| VertexAttribute::with_buffer(name, kind, 1)));
        let per_instance = BufferLayout {
            step_func: VertexStep::PerInstance,
            ..BufferLayout::default()
        };
        let params = PipelineParams {
            color_blend: source
                .blend
                .map(|(from, to)| BlendState::new(Equation::Add, from, to)),
            ..PipelineParams::default()
        };
        let buffers = [BufferLayout::default(), per_instance];
        let pipeline = context.new_pipeline(&buffers, &attributes, shader, params);
        Ok(Program { shader, pipeline })
    }
}
