//! Frames on their way into a pipe, written by a thread of their own.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::process::{TICK, Watch};

/// Frames that are under way at most.
const FRAMES: usize = 3;

/// Bytes that are written between two looks at how far it is.
const PIECE: usize = 1 << 16;

/// A pipe with a few frames before it. Dropped, it still writes those, and then ends the pipe.
#[derive(Debug)]
pub struct Feed {
    full: Sender<Vec<u8>>,
    empty: Receiver<Vec<u8>>,
    written: Arc<AtomicU64>,
}

/// Why there is no room for a frame.
#[derive(Debug, PartialEq, Eq)]
pub enum Blocked {
    /// Whoever reads has gone.
    Gone,
    /// Whoever reads takes nothing any more.
    Hung,
}

impl Feed {
    /// Begins.
    ///
    /// # Errors
    ///
    /// When there can be no further thread.
    pub fn start(mut pipe: impl Write + Send + 'static) -> io::Result<Feed> {
        let (full, frames) = mpsc::channel::<Vec<u8>>();
        let (back, empty) = mpsc::channel();
        for _ in 0..FRAMES {
            // The other end is in our hands.
            let _ = back.send(Vec::new());
        }
        let written = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&written);
        thread::Builder::new()
            .name("feed".to_owned())
            .spawn(move || {
                for frame in frames {
                    for piece in frame.chunks(PIECE) {
                        if pipe.write_all(piece).is_err() {
                            return;
                        }
                        count.fetch_add(piece.len() as u64, Ordering::Relaxed);
                    }
                    // Nobody waits for room after the last frame.
                    let _ = back.send(frame);
                }
            })?;
        Ok(Feed {
            full,
            empty,
            written,
        })
    }

    /// How many bytes have been written; it goes on counting after the feed was dropped.
    pub fn written(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.written)
    }

    /// Room for the next frame, with whatever an earlier one left there; waits while something moves within `patience`.
    ///
    /// # Errors
    ///
    /// When there will be none.
    pub fn room(&self, patience: Duration) -> Result<Vec<u8>, Blocked> {
        let mut watch = Watch::new(patience);
        loop {
            match self.empty.recv_timeout(TICK) {
                Ok(room) => return Ok(room),
                Err(RecvTimeoutError::Disconnected) => return Err(Blocked::Gone),
                Err(RecvTimeoutError::Timeout) => {
                    if watch.is_over(self.written.load(Ordering::Relaxed)) {
                        return Err(Blocked::Hung);
                    }
                }
            }
        }
    }

    /// Sends a frame on its way.
    pub fn send(&self, frame: Vec<u8>) {
        // If nobody takes it, the next one finds no room.
        let _ = self.full.send(frame);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, pipe};

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    #[test]
    fn frames_come_in_their_order_and_room_comes_back() {
        let (mut reader, writer) = pipe().unwrap();
        let feed = Feed::start(writer).unwrap();
        let written = feed.written();
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).unwrap();
            bytes
        });
        let mut most = 0;
        for number in 0..100u8 {
            let mut frame = feed.room(PATIENCE).unwrap();
            most = most.max(frame.capacity());
            frame.clear();
            frame.extend([number; PIECE + 1]);
            feed.send(frame);
        }
        assert!(most > PIECE, "no room was used again");
        drop(feed);
        let bytes = reader.join().unwrap();
        let expected: Vec<u8> = (0..100).flat_map(|number| [number; PIECE + 1]).collect();
        assert!(bytes == expected);
        assert_eq!(written.load(Ordering::Relaxed), expected.len() as u64);
    }

    #[test]
    fn a_reader_that_stops_is_hung_and_one_that_left_is_gone() {
        let (reader, writer) = pipe().unwrap();
        let feed = Feed::start(writer).unwrap();
        // More than the pipe holds.
        for _ in 0..FRAMES {
            feed.room(PATIENCE).unwrap();
            feed.send(vec![0; 4 * PIECE]);
        }
        assert_eq!(feed.room(PATIENCE), Err(Blocked::Hung));
        drop(reader);
        assert_eq!(feed.room(PATIENCE), Err(Blocked::Gone));
    }
}
