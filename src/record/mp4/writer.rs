//! Writes a file group by group. Every call is all or nothing.

use std::io::{self, SeekFrom};

use super::boxes::{self, Kind, USER};
use super::header::Mark;
use super::movie::{self, FILE_TYPE, Index};
use super::reader::EVENTS;
use super::{Header, Storage};

/// What boxes are called that nobody has to read, and those that are not complete yet.
const FREE: Kind = *b"free";

/// Where the box lies that swallows the fragments in the end.
const FREE_AT: u64 = FILE_TYPE.len() as u64;

/// A file under way. Dropped without [`Writer::finish`], it leaves what a kill would leave: a file that plays.
///
/// A kill costs what was not handed over yet. A cut of power costs two groups more at most, and shows nothing broken: a
/// group gets its name once its data is on the disk, and the name gets there with the next group.
///
/// Memory: four bytes for each frame and sixteen for each group; as much again while it finishes.
#[derive(Debug)]
pub struct Writer<S> {
    storage: S,
    mark: Mark,
    /// Where what is whole ends.
    end: u64,
    index: Index,
    /// Whether the storage ends there: it does not where a failed write could not be taken back.
    sound: bool,
}

impl<S: Storage> Writer<S> {
    /// Begins a file in a storage that is empty. Whoever makes no frame of it deletes it: see [`Writer::frames`].
    ///
    /// # Errors
    ///
    /// When the header has a value out of range, or the storage cannot be written.
    pub fn create(storage: S, header: Header) -> io::Result<Writer<S>> {
        Writer::create_as(storage, header, env!("CARGO_PKG_VERSION").to_owned())
    }

    /// As [`Writer::create`] of frames that this version of the program drew.
    pub(super) fn create_as(
        mut storage: S,
        header: Header,
        version: String,
    ) -> io::Result<Writer<S>> {
        if let Some(fault) = header.fault() {
            return Err(refused(fault));
        }
        let mark = Mark {
            header,
            version,
            frames: None,
        };
        let mut start = FILE_TYPE.to_vec();
        boxes::put(&mut start, FREE, |out| out.extend([0; 8]));
        start.extend(movie::announced(&mark));
        storage.seek(SeekFrom::Start(0))?;
        storage.write_all(&start)?;
        storage.sync()?;
        Ok(Writer {
            storage,
            mark,
            end: start.len() as u64,
            index: Index::default(),
            sound: true,
        })
    }

    /// Frames that have been written.
    pub fn frames(&self) -> u64 {
        self.index.sizes.len() as u64
    }

    /// Bytes that have been written.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Writes a group of pictures: frames in the order in which they are shown, the first of which depends on no other.
    ///
    /// A sample is one frame, of NAL units that each follow their length in four bytes. `events` are lines of what
    /// happened in the meantime, or nothing.
    ///
    /// # Errors
    ///
    /// When there is no sample or too much for one group, or the storage cannot be written. The file is then as it was
    /// before the call, which may be made again; or [`Writer::finish`] makes the best of what is there.
    pub fn fragment(&mut self, samples: &[impl AsRef<[u8]>], events: &str) -> io::Result<()> {
        let (sizes, total) = self.measure(samples)?;
        let mut head = Vec::new();
        if !events.is_empty() {
            boxes::put(&mut head, USER, |out| {
                out.extend(EVENTS);
                out.extend(events.bytes());
            });
        }
        let moof = head.len();
        let sequence = self.index.groups.len() as u32 + 1;
        let header = &self.mark.header;
        head.extend(movie::fragment(header, sequence, self.frames(), &sizes));
        head.extend(boxes::head(*b"mdat", total));
        let data = self.end + head.len() as u64;
        self.append(head, moof, samples)?;
        self.end = data + total;
        self.index.groups.push((data, sizes.len() as u32));
        self.index.sizes.extend(sizes);
        Ok(())
    }

    /// Makes an ordinary file of it; returns its bytes.
    ///
    /// # Errors
    ///
    /// When there is no frame, or the storage cannot be written, such as a full disk that has no room for the list of
    /// frames. The file then plays as if the program had been killed.
    pub fn finish(mut self) -> io::Result<u64> {
        if self.index.sizes.is_empty() {
            return Err(refused("no frame was written"));
        }
        self.mark.frames = Some(self.frames());
        let moov = movie::complete(&self.mark, &self.index);
        let start = self.end;
        let bytes = start + moov.len() as u64;
        self.append::<&[u8]>(moov, 0, &[])?;
        // So that the file plays at every byte: at first the new size is what the free box holds; then a single byte
        // changes and makes the box swallow all others; then its name follows.
        let swallow = boxes::long_head(*b"mdat", start - FREE_AT - 16);
        let (short, long) = swallow.split_at(8);
        self.storage.seek(SeekFrom::Start(FREE_AT + 8))?;
        self.storage.write_all(long)?;
        self.storage.seek(SeekFrom::Start(FREE_AT))?;
        self.storage.write_all(short)?;
        self.storage.sync()?;
        Ok(bytes)
    }

    /// The size of each sample and of all, which a fragment can count.
    fn measure(&self, samples: &[impl AsRef<[u8]>]) -> io::Result<(Vec<u32>, u64)> {
        let lengths = || samples.iter().map(|sample| sample.as_ref().len() as u64);
        let total = lengths().sum();
        let fault = movie::fault(self.frames(), samples.len() as u64, total);
        if let Some(fault) = fault {
            return Err(refused(fault));
        }
        if lengths().any(|length| length == 0) {
            return Err(refused("a frame has bytes"));
        }
        let sizes = lengths().map(|length| length as u32).collect();
        Ok((sizes, total))
    }

    /// Writes boxes behind what is whole, or nothing. The first one and the one at `last` have no names before all of it is on
    /// the disk: players refuse a whole file because of one box of theirs that was cut off.
    fn append<A: AsRef<[u8]>>(
        &mut self,
        mut head: Vec<u8>,
        last: usize,
        samples: &[A],
    ) -> io::Result<()> {
        if !self.sound {
            return Err(io::Error::other("a failed write could not be taken back"));
        }
        let named = head[..last + 8].to_vec();
        for start in [0, last] {
            head[start + 4..start + 8].copy_from_slice(&FREE);
        }
        let written = self.write(&head, samples, &named);
        if written.is_err() {
            self.sound = self.storage.truncate(self.end).is_ok();
        }
        written
    }

    fn write(&mut self, head: &[u8], samples: &[impl AsRef<[u8]>], named: &[u8]) -> io::Result<()> {
        self.storage.seek(SeekFrom::Start(self.end))?;
        self.storage.write_all(head)?;
        for sample in samples {
            self.storage.write_all(sample.as_ref())?;
        }
        self.storage.sync()?;
        self.storage.seek(SeekFrom::Start(self.end))?;
        self.storage.write_all(named)?;
        self.storage.flush()
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::super::tests::samples::{assert_plays, begun, encoded};
    use super::super::{Mp4Error, open};

    /// Five gigabytes that take no room on the disk lie between the groups.
    #[test]
    fn offsets_past_32_bits_play() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.mp4");
        let mut writer = begun(File::create(&path).unwrap(), [60, 1], 0..3);
        writer.end += 5 << 30;
        for samples in &encoded().gops[3..] {
            writer.fragment(samples, "").unwrap();
        }
        let bytes = writer.finish().unwrap();
        assert!(bytes > 5 << 30);
        assert_eq!(path.metadata().unwrap().len(), bytes);
        assert_plays(&path, 23);
        // The gap is nothing that a recording leaves.
        let error = open(&path).unwrap_err();
        assert!(matches!(error, Mp4Error::Damaged(_)), "{error}");
    }
}
