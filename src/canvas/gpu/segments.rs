//! The segments of a step, in the memory of the GPU.

use miniquad::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend};

use crate::canvas::Strokes;
use crate::simulation::Segment;

/// Steps whose segments the GPU may still be drawing while those of the next are uploaded.
const RING: usize = 3;
/// Segments of the smallest buffer.
const LEAST_CAPACITY: usize = 4096;

/// A ring of instance buffers, of which one holds the segments of the step uploaded last.
#[derive(Debug, Default)]
pub struct SegmentBuffers {
    ring: [Option<BufferId>; RING],
    current: usize,
    /// The step and the number of segments in the current buffer.
    uploaded: Option<(i64, usize)>,
    /// All segments of a step one behind the other: the driver takes them in one piece.
    joined: Vec<Segment>,
}

impl SegmentBuffers {
    /// The buffer that holds the segments of `strokes`, uploaded unless their step was the last one uploaded.
    pub fn upload(&mut self, context: &mut dyn RenderingBackend, strokes: &Strokes) -> BufferId {
        let wanted = (strokes.step, strokes.segments.len());
        if let (Some(buffer), true) = (self.ring[self.current], self.uploaded == Some(wanted)) {
            return buffer;
        }
        self.current = (self.current + 1) % RING;
        let buffer = self.reserve(context, wanted.1);
        self.joined.clear();
        for run in strokes.segments.runs() {
            self.joined.extend_from_slice(run);
        }
        context.buffer_update(buffer, BufferSource::slice(&self.joined));
        self.uploaded = Some(wanted);
        buffer
    }

    /// The current buffer, made large enough.
    fn reserve(&mut self, context: &mut dyn RenderingBackend, count: usize) -> BufferId {
        let slot = &mut self.ring[self.current];
        if let Some(buffer) = *slot {
            if context.buffer_size(buffer) >= size_of::<Segment>() * count {
                return buffer;
            }
            context.delete_buffer(buffer);
        }
        let capacity = count.next_power_of_two().max(LEAST_CAPACITY);
        let buffer = context.new_buffer(
            BufferType::VertexBuffer,
            BufferUsage::Stream,
            BufferSource::empty::<Segment>(capacity),
        );
        *slot = Some(buffer);
        buffer
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
