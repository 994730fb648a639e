//! Numbered pictures: each a file of its own, encoded on threads.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::Context;

use super::target::Pattern;
use crate::command::output::{Existing, Whole};
use crate::record::{DeepPixels, Depth, Frame, Pixels, RecordError, Recording, png};
use crate::take::{Shot, Take};

/// PNG files under way.
pub struct Sequence {
    options: Arc<Options>,
    /// The number of the next frame.
    next: u64,
    work: Option<SyncSender<Picture>>,
    workers: Vec<JoinHandle<()>>,
    outcome: Arc<Mutex<Outcome>>,
}

/// What all pictures of a sequence share.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where they go.
    pub pattern: Pattern,
    /// What happens to files that are there.
    pub existing: Existing,
    /// What frames are made as.
    pub depth: Depth,
    /// What goes into each file, which says for itself which frame it is.
    pub take: Take,
}

/// A frame on its way into a file.
struct Picture {
    number: u64,
    width: u32,
    height: u32,
    samples: Samples,
}

enum Samples {
    Codes(Vec<u8>),
    Deep(Vec<[f32; 3]>),
}

#[derive(Default)]
struct Outcome {
    bytes: u64,
    /// The first failure.
    failure: Option<String>,
}

impl Sequence {
    /// Begins with frame `first`, on `jobs` threads; makes the folder where it is missing.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, or the system refuses threads.
    pub fn begin(options: Options, first: u64, jobs: usize) -> anyhow::Result<Sequence> {
        let path = options.pattern.path(first);
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.is_dir() && !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
        }
        // Before anything is painted: whether files can be written there at all.
        drop(Whole::create(&path, options.existing)?);
        let options = Arc::new(options);
        let outcome = Arc::new(Mutex::new(Outcome::default()));
        let (work, queue) = mpsc::sync_channel(1);
        let queue = Arc::new(Mutex::new(queue));
        let worker = |_| {
            let (options, queue, outcome) = (
                Arc::clone(&options),
                Arc::clone(&queue),
                Arc::clone(&outcome),
            );
            thread::Builder::new()
                .name("eddyline picture".to_owned())
                .spawn(move || write_pictures(&options, &queue, &outcome))
        };
        let workers: Result<_, _> = (0..jobs).map(worker).collect();
        Ok(Sequence {
            options,
            next: first,
            work: Some(work),
            workers: workers.context("cannot start threads; try --jobs 1")?,
            outcome,
        })
    }

    fn check(&self) -> Result<(), RecordError> {
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match &outcome.failure {
            Some(failure) => Err(RecordError::Encoder(failure.clone())),
            None => Ok(()),
        }
    }
}

impl Recording for Sequence {
    fn depth(&self) -> Depth {
        self.options.depth
    }

    fn push(&mut self, frame: Frame) -> Result<(), RecordError> {
        self.check()?;
        let (width, height, samples) = match frame {
            Frame::Codes(Pixels {
                width,
                height,
                rgba,
            }) => (width, height, Samples::Codes(rgba.to_vec())),
            Frame::Deep(DeepPixels { width, height, rgb }) => {
                (width, height, Samples::Deep(rgb.to_vec()))
            }
        };
        let picture = Picture {
            number: self.next,
            width,
            height,
            samples,
        };
        self.next += 1;
        let is_taken = self
            .work
            .as_ref()
            .is_some_and(|work| work.send(picture).is_ok());
        if is_taken { Ok(()) } else { self.check() }
    }

    fn bytes(&self) -> u64 {
        self.outcome
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .bytes
    }

    fn finish(mut self: Box<Self>) -> Result<u64, RecordError> {
        self.work = None;
        for worker in self.workers.drain(..) {
            if worker.join().is_err() {
                return Err(RecordError::Encoder("a picture failed".to_owned()));
            }
        }
        self.check()?;
        Ok(self.bytes())
    }
}

/// Writes pictures until there are no more; after a failure it only takes them.
fn write_pictures(options: &Options, queue: &Mutex<Receiver<Picture>>, outcome: &Mutex<Outcome>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(picture) = next else {
            return;
        };
        let written = write_picture(options, &picture);
        let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match written {
            Ok(bytes) => outcome.bytes += bytes,
            Err(error) => {
                outcome.failure.get_or_insert(format!("{error:#}"));
            }
        }
    }
}

fn write_picture(options: &Options, picture: &Picture) -> anyhow::Result<u64> {
    let Picture {
        number,
        width,
        height,
        ref samples,
    } = *picture;
    let frame = match samples {
        Samples::Codes(rgba) => Frame::Codes(Pixels {
            width,
            height,
            rgba,
        }),
        Samples::Deep(rgb) => Frame::Deep(DeepPixels { width, height, rgb }),
    };
    let mut bytes = Vec::new();
    let take = &options.take;
    let shot = take.shot.map(|shot| Shot {
        frames: [number, number + 1],
        ..shot
    });
    let take = Take {
        shot,
        ..take.clone()
    };
    png::save(&mut bytes, frame, None, &take.written())?;
    let file = Whole::create(&options.pattern.path(number), options.existing)?;
    file.write(|file| file.write_all(&bytes))?;
    Ok(bytes.len() as u64)
}
