//! Frames on their way to the server: the canvas that writes them into memory, the overlay above, and the request.

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::Event;
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, CreateGCAux, Gcontext, ImageFormat};
use x11rb::rust_connection::RustConnection;

use super::X11Error;
use super::memory::{Mapping, Memory};
use super::window::Window;
use crate::canvas::cpu::{Channels, CpuCanvas};
use crate::canvas::{Canvas, Extent, Frame, Strokes};
use crate::overlay::Image;

/// Bytes of a request's head, and some to spare.
const HEAD: usize = 64;

/// Memory is taken in pieces of so many bytes, so that a window that is being resized does not ask for new at every px.
const PIECE: usize = 1 << 20;

/// The memory that frames are written to, and how they get from there to the window.
pub struct Frames {
    context: Gcontext,
    /// Whether the server can read memory of this process.
    is_shared: bool,
    memory: Memory,
    segment: Option<shm::Seg>,
    is_being_read: bool,
    /// Width and height of the frame in memory.
    size: [u32; 2],
}

impl Frames {
    /// No memory yet: it is taken with the first frame.
    pub fn new(connection: &RustConnection, window: &Window) -> Result<Frames, X11Error> {
        let context = connection.generate_id()?;
        let drawing = CreateGCAux::new().graphics_exposures(0);
        connection.create_gc(context, window.id(), &drawing)?;
        Ok(Frames {
            context,
            is_shared: has_shared_memory(connection)?,
            memory: Memory::Own(Vec::new()),
            segment: None,
            is_being_read: false,
            size: [0; 2],
        })
    }

    /// Memory for a frame of this size, as BGRX, row by row from the top.
    fn reserve(&mut self, connection: &RustConnection, size: [u32; 2]) -> &mut [u8] {
        let bytes = size[0] as usize * size[1] as usize * 4;
        let wanted = bytes.next_multiple_of(PIECE);
        let has = self.memory.bytes().len();
        if has < wanted || has > 2 * wanted {
            if let Some(segment) = self.segment.take() {
                // Should the connection be broken, the next frame says so.
                let _ = connection.shm_detach(segment);
            }
            let shared = self.is_shared.then(|| share(connection, wanted)).flatten();
            self.is_shared = shared.is_some();
            self.is_being_read = false;
            self.memory = match shared {
                Some((segment, mapping)) => {
                    self.segment = Some(segment);
                    Memory::Shared(mapping)
                }
                None => Memory::Own(vec![0; wanted]),
            };
        }
        self.size = size;
        &mut self.memory.bytes()[..bytes]
    }

    /// Lays the overlay over the frame in memory.
    pub fn lay_over(&mut self, image: &Image) {
        lay_over(image, self.memory.bytes(), self.size);
    }

    /// Puts the frame in memory into the window.
    pub fn put(&mut self, connection: &RustConnection, window: &Window) -> Result<(), X11Error> {
        let [width, height] = self.size.map(|side| side as u16);
        if width == 0 || height == 0 {
            return Ok(());
        }
        match self.segment {
            Some(segment) => {
                shm::put_image(
                    connection,
                    window.id(),
                    self.context,
                    width,
                    height,
                    0,
                    0,
                    width,
                    height,
                    0,
                    0,
                    window.depth(),
                    ImageFormat::Z_PIXMAP.into(),
                    true,
                    segment,
                    0,
                )?;
                self.is_being_read = true;
            }
            None => self.send(connection, window)?,
        }
        Ok(())
    }

    /// Sends the frame, in as many parts as the server's longest request asks for.
    fn send(&mut self, connection: &RustConnection, window: &Window) -> Result<(), X11Error> {
        let [width, height] = self.size.map(|side| side as usize);
        let most = connection.maximum_request_bytes().saturating_sub(HEAD);
        let rows = (most / (width * 4)).clamp(1, height);
        let bytes = &self.memory.bytes()[..width * height * 4];
        for (number, part) in bytes.chunks(rows * width * 4).enumerate() {
            connection.put_image(
                ImageFormat::Z_PIXMAP,
                window.id(),
                self.context,
                width as u16,
                (part.len() / (width * 4)) as u16,
                0,
                (number * rows) as i16,
                0,
                window.depth(),
                part,
            )?;
        }
        Ok(())
    }

    /// Takes down that the server has read a frame.
    pub fn notice(&mut self, event: &Event) {
        match event {
            Event::ShmCompletion(done) if Some(done.shmseg) == self.segment => {
                self.is_being_read = false;
            }
            // It could not: nothing will be reported.
            Event::Error(_) => self.is_being_read = false,
            _ => (),
        }
    }

    /// What paints, and the way into the window.
    pub fn painter(&self) -> &'static str {
        if self.segment.is_some() {
            "processor, shared memory"
        } else {
            "processor, sent to the server"
        }
    }

    /// Whether the server has yet to read the frame in memory.
    pub fn is_being_read(&self) -> bool {
        self.is_being_read
    }
}

/// Whether the server takes memory by its file: since version 1.2 of the extension.
fn has_shared_memory(connection: &RustConnection) -> Result<bool, X11Error> {
    if connection
        .extension_information(shm::X11_EXTENSION_NAME)?
        .is_none()
    {
        return Ok(false);
    }
    let version = connection.shm_query_version()?.reply()?;
    Ok((version.major_version, version.minor_version) >= (1, 2))
}

/// Memory that the server can read; nothing where it cannot, as where it runs elsewhere.
fn share(connection: &RustConnection, bytes: usize) -> Option<(shm::Seg, Mapping)> {
    let (mapping, file) = Mapping::new(bytes).ok()?;
    let segment = connection.generate_id().ok()?;
    let attached = connection.shm_attach_fd(segment, file, true).ok()?;
    attached.check().ok()?;
    Some((segment, mapping))
}

/// The canvas of one frame: a [`CpuCanvas`] that presents into the memory of the frames.
pub struct FrameCanvas<'a> {
    pub canvas: &'a mut CpuCanvas,
    pub frames: &'a mut Frames,
    pub connection: &'a RustConnection,
}

impl Canvas for FrameCanvas<'_> {
    fn extent(&self) -> Extent {
        self.canvas.extent()
    }

    fn resize(&mut self, extent: Extent) {
        self.canvas.resize(extent);
    }

    fn clear(&mut self) {
        self.canvas.clear();
    }

    fn part(&mut self) {
        self.canvas.part();
    }

    fn on_leaving(&mut self, work: &mut dyn FnMut(&mut dyn Canvas)) {
        self.canvas.on_leaving(work);
    }

    fn join(&mut self) {
        self.canvas.join();
    }

    fn load(&mut self, light: &[f32], glow: Option<&[f32]>) {
        self.canvas.load(light, glow);
    }

    fn fade(&mut self, keep: f32) {
        self.canvas.fade(keep);
    }

    fn stroke(&mut self, strokes: &Strokes) {
        self.canvas.stroke(strokes);
    }

    fn present(&mut self, frame: &Frame) {
        let Extent { width, height, .. } = self.canvas.extent();
        let pixels = self.frames.reserve(self.connection, [width, height]);
        self.canvas.present_to(frame, Channels::Bgra, pixels);
    }
}

/// Lays an image over a frame of BGRX.
fn lay_over(image: &Image, frame: &mut [u8], [width, height]: [u32; 2]) {
    let [image_width, image_height] = image.size;
    let [left, top] = image.place;
    let opacity = (image.opacity.clamp(0.0, 1.0) * 255.0).round() as u16;
    let visible = |from: i32, length: u32, most: u32| {
        let begin = (-from).max(0) as u32;
        let end = (i64::from(most) - i64::from(from)).clamp(0, length.into()) as u32;
        begin.min(end)..end
    };
    let columns = visible(left, image_width, width);
    for row in visible(top, image_height, height) {
        let y = (top + row as i32) as usize;
        let from = &image.pixels[row as usize * image_width as usize * 4..];
        let from = from[..image_width as usize * 4].as_chunks::<4>().0;
        let line = &mut frame[y * width as usize * 4..][..width as usize * 4];
        let line = line.as_chunks_mut::<4>().0;
        let from = &from[columns.start as usize..columns.end as usize];
        let first = (left + columns.start as i32) as usize;
        lay_row_over(from, opacity, &mut line[first..first + from.len()]);
    }
}

/// The same for a row of RGBA: the same arithmetic for every byte, so that many are mixed at once.
fn lay_row_over(from: &[[u8; 4]], opacity: u16, line: &mut [[u8; 4]]) {
    for (pixel, [red, green, blue, alpha]) in line.iter_mut().zip(from) {
        let alpha = part_of_255(u16::from(*alpha) * opacity);
        // The fourth byte is laid over itself.
        let fourth = pixel[3];
        for (under, over) in pixel.iter_mut().zip([*blue, *green, *red, fourth]) {
            let mixed = u16::from(*under) * (255 - alpha) + u16::from(over) * alpha;
            *under = part_of_255(mixed + 127) as u8;
        }
    }
}

/// A number below 65280, divided by 255.
fn part_of_255(number: u16) -> u16 {
    (number + 1 + (number >> 8)) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(pixels: &[u8], size: [u32; 2], place: [i32; 2], opacity: f32) -> Image<'_> {
        Image {
            pixels,
            size,
            place,
            opacity,
            version: 1,
        }
    }

    #[test]
    fn an_image_is_laid_over_by_its_alpha_and_opacity() {
        let mut frame = [100; 4 * 4];
        let pixels = [255, 0, 0, 255, 10, 20, 30, 0];
        lay_over(&image(&pixels, [2, 1], [1, 0], 1.0), &mut frame, [4, 1]);
        assert_eq!(frame[..4], [100; 4]);
        assert_eq!(frame[4..8], [0, 0, 255, 100]);
        assert_eq!(frame[8..], [100; 8]);
        lay_over(&image(&pixels, [2, 1], [3, 0], 0.5), &mut frame, [4, 1]);
        assert_eq!(frame[12..15], [50, 50, 178]);
    }

    #[test]
    fn parts_of_255_are_exact() {
        assert!((0..65280).all(|number| part_of_255(number) == number / 255));
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        let pixels = [255; 3 * 3 * 4];
        for place in [[-2, -2], [-3, 0], [1, 1], [5, 5], [-9, 7]] {
            let mut frame = [0; 2 * 2 * 4];
            lay_over(&image(&pixels, [3, 3], place, 1.0), &mut frame, [2, 2]);
            for y in 0..2 {
                for x in 0..2 {
                    let is_inside = (place[0]..place[0] + 3).contains(&x)
                        && (place[1]..place[1] + 3).contains(&y);
                    let at = (y * 2 + x) as usize * 4;
                    assert_eq!(frame[at] == 255, is_inside, "{place:?} {x} {y}");
                }
            }
        }
    }
}
