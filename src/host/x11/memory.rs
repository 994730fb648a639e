//! Memory with a file behind it, that another process can be given.

use std::io;
use std::os::fd::OwnedFd;
use std::ptr::NonNull;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// Where the pixels of a frame are.
pub enum Memory {
    /// Where the server can read them.
    Shared(Mapping),
    /// Where only this process can.
    Own(Vec<u8>),
}

/// Memory of this process that the server reads as a file.
pub struct Mapping {
    begin: NonNull<u8>,
    length: usize,
}

impl Memory {
    /// All of it.
    pub fn bytes(&mut self) -> &mut [u8] {
        match self {
            Memory::Shared(mapping) => mapping.bytes(),
            Memory::Own(bytes) => bytes,
        }
    }
}

impl Mapping {
    /// Memory of `length` bytes, all 0, and its file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn new(length: usize) -> io::Result<(Mapping, OwnedFd)> {
        let file = memfd_create("eddyline", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, length as u64)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at a place that the system chooses, of a file of this length.
        let begin = unsafe {
            mmap(
                std::ptr::null_mut(),
                length,
                access,
                MapFlags::SHARED,
                &file,
                0,
            )?
        };
        let begin = NonNull::new(begin.cast()).ok_or_else(|| io::Error::other("no address"))?;
        Ok((Mapping { begin, length }, file))
    }

    /// All of it.
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: mapped for reading and writing while `self` lives, and lent once at a time. The file's length is not
        // changed: the server got it to read.
        unsafe { std::slice::from_raw_parts_mut(self.begin.as_ptr(), self.length) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this is what was mapped, and nothing borrows it any more. Failing would leave it mapped, no more.
        let _ = unsafe { munmap(self.begin.as_ptr().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_file_has_what_was_written() {
        let (mapping, file) = Mapping::new(8192).unwrap();
        let mut memory = Memory::Shared(mapping);
        memory.bytes()[5000] = 7;
        let mut read = Vec::new();
        std::fs::File::from(file).read_to_end(&mut read).unwrap();
        assert_eq!((read.len(), read[4999], read[5000]), (8192, 0, 7));
    }
}
