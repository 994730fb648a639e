//! Disks that are full, that die, and that say what they were asked.

use std::cell::{Cell, RefCell};
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::rc::Rc;

use super::super::Storage;

/// How a disk fails.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// No file on it can have more bytes.
    Full(usize),
    /// Nothing works any more after so many bytes were written: what a kill at that byte leaves.
    Dies(usize),
    /// As `Full`, and nothing can be taken back.
    FullForGood(usize),
    /// It never does.
    Never,
}

/// A file in memory, shared with the test.
#[derive(Clone)]
pub struct Disk {
    pub file: Rc<RefCell<Cursor<Vec<u8>>>>,
    fault: Fault,
    written: Rc<Cell<usize>>,
    /// How long the file was each time it was to be safe.
    pub synced: Rc<RefCell<Vec<usize>>>,
}

impl Disk {
    pub fn new(fault: Fault) -> Disk {
        Disk {
            file: Rc::default(),
            fault,
            written: Rc::default(),
            synced: Rc::default(),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.file.borrow().get_ref().clone()
    }

    /// Bytes that were written so far, some of them over others.
    pub fn written(&self) -> usize {
        self.written.get()
    }

    fn alive(&self) -> io::Result<()> {
        match self.fault {
            Fault::Dies(after) if self.written.get() >= after => Err(io::Error::other("died")),
            _ => Ok(()),
        }
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.alive()?;
        let mut file = self.file.borrow_mut();
        let room = match self.fault {
            Fault::Full(size) | Fault::FullForGood(size) => {
                size.saturating_sub(file.position() as usize)
            }
            Fault::Dies(after) => after - self.written.get(),
            Fault::Never => usize::MAX,
        };
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = file.write(&bytes[..bytes.len().min(room)])?;
        self.written.set(self.written.get() + count);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.alive()
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.alive()?;
        self.file.borrow_mut().seek(to)
    }
}

impl Storage for Disk {
    fn sync(&mut self) -> io::Result<()> {
        self.alive()?;
        let length = self.file.borrow().get_ref().len();
        self.synced.borrow_mut().push(length);
        Ok(())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.alive()?;
        if matches!(self.fault, Fault::FullForGood(_)) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.file.borrow_mut().get_mut().truncate(length as usize);
        Ok(())
    }
}
