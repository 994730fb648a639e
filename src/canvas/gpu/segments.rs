//! The segments of a step, in the memory of the GPU.

use miniquad::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend};

use super::path::Quads;
use super::raw;
use crate::canvas::Strokes;
use crate::simulation::Segment;

/// Steps whose segments the GPU may still be drawing while those of the next are uploaded.
const RING: usize = 3;
/// Segments of the smallest buffer.
const LEAST_CAPACITY: usize = 4096;
/// Vertices of a quad.
pub const CORNERS: usize = 4;
/// Most quads that are drawn at once where each has vertices of its own: as many as 16-bit indices can tell apart.
pub const MOST_EXPANDED: usize = (1 << 16) / CORNERS;

/// A ring of lists of vertex buffers, of which one holds the segments of the step uploaded last.
#[derive(Debug)]
pub struct SegmentBuffers {
    quads: Quads,
    ring: [Vec<BufferId>; RING],
    current: usize,
    /// The step and the number of segments in the current buffers.
    uploaded: Option<(i64, usize)>,
    /// Where quads are expanded.
    vertices: Vec<Segment>,
}

/// Segments that are drawn at once: a buffer, and how many lie in it.
pub type Batch = (BufferId, usize);

impl SegmentBuffers {
    /// Without a buffer yet.
    pub fn new(quads: Quads) -> SegmentBuffers {
        SegmentBuffers {
            quads,
            ring: Default::default(),
            current: 0,
            uploaded: None,
            vertices: Vec::new(),
        }
    }

    /// Writes the segments of `strokes` to buffers, unless their step was the last one written.
    pub fn upload(&mut self, context: &mut dyn RenderingBackend, strokes: &Strokes) {
        let wanted = (strokes.step, strokes.segments.len());
        if self.uploaded == Some(wanted) {
            return;
        }
        self.current = (self.current + 1) % RING;
        self.uploaded = Some(wanted);
        match self.quads {
            Quads::Instanced => self.upload_whole(context, strokes, wanted.1),
            Quads::Expanded => self.upload_expanded(context, strokes),
        }
    }

    /// What is to be drawn, in order.
    pub fn batches(&self) -> impl Iterator<Item = Batch> {
        let most = match self.quads {
            Quads::Instanced => usize::MAX,
            Quads::Expanded => MOST_EXPANDED,
        };
        let count = self.uploaded.map_or(0, |(_, count)| count);
        let buffers = self.ring[self.current].iter().enumerate();
        buffers
            .map(move |(number, &buffer)| (buffer, count.saturating_sub(number * most).min(most)))
            .take_while(|&(_, count)| count > 0)
    }

    fn upload_whole(
        &mut self,
        context: &mut dyn RenderingBackend,
        strokes: &Strokes,
        count: usize,
    ) {
        let buffers = &mut self.ring[self.current];
        if let Some(&buffer) = buffers.first()
            && context.buffer_size(buffer) < size_of::<Segment>() * count
        {
            context.delete_buffer(buffer);
            buffers.clear();
        }
        let capacity = count.next_power_of_two().max(LEAST_CAPACITY);
        let buffer = buffers
            .pop()
            .unwrap_or_else(|| new_buffer(context, capacity));
        buffers.push(buffer);
        raw::write_vertices(context, buffer, strokes.segments.runs());
    }

    fn upload_expanded(&mut self, context: &mut dyn RenderingBackend, strokes: &Strokes) {
        let buffers = &mut self.ring[self.current];
        let mut segments = strokes.segments.iter();
        for number in 0.. {
            self.vertices.clear();
            for segment in segments.by_ref().take(MOST_EXPANDED) {
                self.vertices.extend_from_slice(&[*segment; CORNERS]);
            }
            if self.vertices.is_empty() {
                break;
            }
            if buffers.len() == number {
                buffers.push(new_buffer(context, MOST_EXPANDED * CORNERS));
            }
            context.buffer_update(buffers[number], BufferSource::slice(&self.vertices));
        }
    }

    /// Forgets which step is uploaded: the next segments may be others, even with the same step.
    pub fn forget(&mut self) {
        self.uploaded = None;
    }

    /// Frees the buffers.
    pub fn delete(self, context: &mut dyn RenderingBackend) {
        self.ring
            .into_iter()
            .flatten()
            .for_each(|buffer| context.delete_buffer(buffer));
    }
}

fn new_buffer(context: &mut dyn RenderingBackend, capacity: usize) -> BufferId {
    context.new_buffer(
        BufferType::VertexBuffer,
        BufferUsage::Stream,
        BufferSource::empty::<Segment>(capacity),
    )
}
