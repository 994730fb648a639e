//! MP4 files of one H.264 track, as the built-in recorder writes them: whole at every moment, and ordinary in the end.
//!
//! ```text
//! under way   ftyp  free  moov  (uuid? moof mdat)*
//! finished    ftyp  mdat{ moov  (uuid? moof mdat)* }  moov
//! ```
//!
//! While frames come, the file is a fragmented one, and players see every group of pictures that has been written, however
//! the program ended. In the end a `moov` that lists all frames is appended, and the 16 bytes of `free` become the
//! head of an `mdat` with a size of 64 bits that swallows everything in between: an ordinary file, without a second copy.
//!
//! A box that others depend on is written under the name `free`, behind it what it speaks of, and gets its own name last:
//! so it is there with all that belongs to it or not at all, and so is each step of the end, at every byte.
//!
//! It knows nothing of how frames are encoded.

use std::fs::File;
use std::io::ErrorKind::{InvalidInput, Unsupported};
use std::io::{self, Seek, Write};

mod boxes;
mod header;
mod join;
mod movie;
mod reader;
mod writer;

pub use header::Header;
pub use join::{JoinError, join};
pub use reader::{Gop, Mp4Error, Recorded, open, read};
pub use writer::Writer;

/// What a file is written to; tests have disks that are full or die.
pub trait Storage: Write + Seek {
    /// Hands on all that was written, and waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// When the disk says that it is not.
    fn sync(&mut self) -> io::Result<()>;

    /// Forgets everything from byte `length` on.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

impl Storage for File {
    fn sync(&mut self) -> io::Result<()> {
        match self.sync_data() {
            // Not every file system knows how to wait.
            Err(error) if matches!(error.kind(), Unsupported | InvalidInput) => Ok(()),
            synced => synced,
        }
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

#[cfg(test)]
mod tests;
