//! What the window's frames are made of: the GPU canvas, or the CPU canvas's pixels as a texture; and the overlay above.

use macroquad::color::{Color, WHITE};
use macroquad::texture::{DrawTextureParams, FilterMode, Texture2D, draw_texture_ex};
use macroquad::window::get_internal_gl;
use miniquad::{PassAction, RenderingBackend};

use crate::canvas::Canvas;
use crate::canvas::cpu::CpuCanvas;
use crate::canvas::gpu::{GpuError, GpuState, WantedPath};
use crate::host::{App, Events, Next};
use crate::overlay::{Image, Images};

/// A canvas, and the way from it into the window.
pub enum Surface {
    /// Light on the GPU.
    Gpu(Box<GpuState>),
    /// Light in memory, whose frames become a texture.
    Cpu(Box<CpuCanvas>, Option<Texture2D>),
}

impl Surface {
    /// A surface on the GPU that holds this light.
    pub fn on_gpu(light: &CpuCanvas, path: WantedPath) -> Result<Surface, GpuError> {
        let mut gpu = with_context(|context| GpuState::new(context, light.extent(), path))?;
        with_context(|context| {
            gpu.bind(context).load(
                light.light().as_flattened(),
                light.glow().map(|glow| glow.as_flattened()),
            )
        });
        Ok(Surface::Gpu(Box::new(gpu)))
    }

    /// What paints, in a few words.
    pub fn painter(&self) -> String {
        match self {
            Surface::Gpu(_) => format!("OpenGL, {}", renderer()),
            Surface::Cpu(..) => "processor, as a texture".to_owned(),
        }
    }

    /// Lets the application paint a frame.
    pub fn paint<A: App>(&mut self, app: &mut A, events: &Events) -> Next {
        match self {
            Surface::Gpu(gpu) => with_context(|context| app.frame(events, &mut gpu.bind(context))),
            Surface::Cpu(canvas, _) => app.frame(events, &mut **canvas),
        }
    }

    /// Shows the presented frame in the window, with `scale` device px per logical px.
    pub fn show(&mut self, scale: f32) {
        match self {
            Surface::Gpu(gpu) => with_context(|context| {
                context.begin_default_pass(PassAction::Nothing);
                gpu.bind(context).compose();
                context.end_render_pass();
            }),
            Surface::Cpu(canvas, texture) => {
                let extent = canvas.extent();
                show_pixels(
                    texture,
                    canvas.pixels(),
                    [extent.width, extent.height],
                    scale,
                );
            }
        }
    }

    /// Frees what lives on the GPU.
    pub fn delete(self) {
        if let Surface::Gpu(gpu) = self {
            with_context(|context| gpu.delete(context));
        }
    }
}

/// `GL_RENDERER`.
const RENDERER: u32 = 0x1F01;

/// Draws RGBA pixels over the window from the top left.
fn show_pixels(
    texture: &mut Option<Texture2D>,
    pixels: &[u8],
    [width, height]: [u32; 2],
    scale: f32,
) {
    if pixels.is_empty() {
        return;
    }
    let size = [width, height].map(|side| side as f32);
    texture.take_if(|texture| [texture.width(), texture.height()] != size);
    match texture {
        Some(texture) => texture.update_from_bytes(width, height, pixels),
        // No side is longer than the window's, so that 16 bits hold it.
        None => {
            let new = Texture2D::from_rgba8(width as u16, height as u16, pixels);
            new.set_filter(FilterMode::Nearest);
            *texture = Some(new);
        }
    }
    if let Some(texture) = texture {
        let parameters = DrawTextureParams {
            dest_size: Some(size.map(|side| side / scale).into()),
            ..DrawTextureParams::default()
        };
        draw_texture_ex(texture, 0.0, 0.0, WHITE, parameters);
    }
}

/// The name of what draws in the window.
pub fn renderer() -> String {
    with_context(|_| {
        // SAFETY: GL is loaded, as there is a context; the string belongs to the driver and ends with 0.
        let name = unsafe { miniquad::gl::glGetString(RENDERER) };
        if name.is_null() {
            return String::new();
        }
        // SAFETY: as above.
        let name = unsafe { std::ffi::CStr::from_ptr(name.cast()) };
        name.to_string_lossy().into_owned()
    })
}

/// Lends the window's GL context.
pub fn with_context<R>(work: impl FnOnce(&mut dyn RenderingBackend) -> R) -> R {
    // SAFETY: on the window's thread, while the window is open; and no work asks macroquad for anything, so that this is
    // the only reference.
    let context = unsafe { get_internal_gl() }.quad_context;
    work(context)
}

/// What lies over the picture, as textures.
#[derive(Debug, Default)]
pub struct OverlayTextures([OverlayTexture; 3]);

impl OverlayTextures {
    /// Lays the images over what is drawn so far, with `scale` device px per logical px.
    pub fn draw(&mut self, images: Images, scale: f32) {
        for (texture, image) in self.0.iter_mut().zip(images) {
            if let Some(image) = image {
                texture.draw(&image, scale);
            }
        }
    }
}

/// The overlay's pixels as a texture.
#[derive(Debug, Default)]
struct OverlayTexture {
    texture: Option<Texture2D>,
    version: u64,
}

impl OverlayTexture {
    /// Lays the image over what is drawn so far.
    fn draw(&mut self, image: &Image, scale: f32) {
        let [width, height] = image.size;
        let is_new = image.version != self.version;
        let texture = match self.texture.take() {
            Some(texture) if !is_new => texture,
            // No side is longer than the window's, so that 16 bits hold it.
            _ => Texture2D::from_rgba8(width as u16, height as u16, image.pixels),
        };
        self.version = image.version;
        let [left, top] = image.place.map(|place| place as f32 / scale);
        let parameters = DrawTextureParams {
            dest_size: Some([width as f32 / scale, height as f32 / scale].into()),
            ..DrawTextureParams::default()
        };
        let color = Color::new(1.0, 1.0, 1.0, image.opacity);
        draw_texture_ex(&texture, left, top, color, parameters);
        self.texture = Some(texture);
    }
}
