//! The compression of GIF: Lempel-Ziv-Welch with codes of 9 to 12 bits (GIF89a specification, appendix F).
//!
//! Most of a frame is the one index that stands for "as before", so runs of it are taken at once.

/// The index whose runs are taken at once.
pub const KEPT: u8 = 0;

/// Bits of an index.
pub const DEPTH: u8 = 8;

/// Forgets all phrases.
const CLEAR: u32 = 256;

/// Ends the picture.
const END: u32 = 257;

/// The first code of a phrase of two indices.
const FIRST: u32 = 258;

/// Codes have at most 12 bits.
const CODES: u32 = 4096;

/// Places for phrases, twice as many as there are, so that few share one; they fit into the nearest memory.
const PLACES: usize = 2 * CODES as usize;

/// Compresses indices; the result has no length and is not in blocks yet.
pub fn compress(indices: &[u8]) -> Vec<u8> {
    let mut codes = Codes::new(indices.len() / 4);
    let mut phrases = Phrases::new();
    codes.write(CLEAR);
    let mut rest = indices;
    while let Some((phrase, longer)) = phrases.longest(&mut rest) {
        codes.write(phrase.code);
        let Some(longer) = longer else { break };
        if phrases.next == CODES {
            codes.write(CLEAR);
            codes.width = u32::from(DEPTH) + 1;
            phrases.forget();
        } else {
            // A reader knows a phrase one code later than it could be written.
            codes.width += u32::from(phrases.next == 1 << codes.width);
            phrases.add(phrase, longer);
        }
    }
    codes.write(END);
    codes.finish()
}

/// A row of indices that has a code.
#[derive(Clone, Copy)]
struct Phrase {
    code: u32,
    /// It is a run of [`KEPT`], and what follows is one more.
    kept: bool,
}

/// A phrase and the index behind it, and where that would be found.
struct Longer {
    key: u32,
    place: usize,
}

/// All phrases since they were last forgotten.
struct Phrases {
    /// Of each phrase of two or more its key, then its code in 12 bits; 0 for none.
    places: Box<[u32; PLACES]>,
    /// The codes of runs of [`KEPT`], of one, two and so on.
    runs: Vec<u16>,
    /// The code of the next phrase.
    next: u32,
}

impl Phrases {
    fn new() -> Phrases {
        Phrases {
            places: Box::new([0; PLACES]),
            runs: vec![u16::from(KEPT)],
            next: FIRST,
        }
    }

    fn forget(&mut self) {
        self.places.fill(0);
        self.runs.truncate(1);
        self.next = FIRST;
    }

    /// Takes the longest phrase that the indices begin with, where there are any; and what would be longer by one, where
    /// there is one more.
    fn longest(&self, indices: &mut &[u8]) -> Option<(Phrase, Option<Longer>)> {
        let (&first, rest) = indices.split_first()?;
        let mut phrase = Phrase {
            code: u32::from(first),
            kept: first == KEPT,
        };
        *indices = rest;
        if phrase.kept {
            let most = rest.len().min(self.runs.len() - 1);
            let more = rest[..most].iter().take_while(|&&index| index == KEPT);
            let more = more.count();
            phrase.code = u32::from(self.runs[more]);
            *indices = &rest[more..];
        }
        let mut read = 0;
        let mut longer = None;
        for &index in *indices {
            match self.find(phrase.code << 8 | u32::from(index)) {
                Ok(code) => phrase.code = code,
                Err(absent) => {
                    longer = Some(absent);
                    break;
                }
            }
            read += 1;
        }
        let (taken, rest) = indices.split_at(read);
        // What is longer is kept by its last index, too.
        let taken = rest.first().into_iter().chain(taken);
        phrase.kept = phrase.kept && taken.copied().all(|index| index == KEPT);
        *indices = rest;
        Some((phrase, longer))
    }

    /// The code of a phrase, from the code of all but its last index, and that index.
    fn find(&self, key: u32) -> Result<u32, Longer> {
        let mut place = (key.wrapping_mul(0x9E37_79B1) >> 19) as usize;
        loop {
            let entry = self.places[place];
            if entry == 0 {
                return Err(Longer { key, place });
            }
            if entry >> 12 == key {
                return Ok(entry & (CODES - 1));
            }
            place = (place + 1) % PLACES;
        }
    }

    /// Gives the next code to what is longer than `phrase`.
    fn add(&mut self, phrase: Phrase, longer: Longer) {
        self.places[longer.place] = longer.key << 12 | self.next;
        if phrase.kept {
            self.runs.push(self.next as u16);
        }
        self.next += 1;
    }
}

/// Codes one behind the other, the lowest bit first.
struct Codes {
    bytes: Vec<u8>,
    /// Bits of a code.
    width: u32,
    pending: u64,
    /// Bits that are pending.
    count: u32,
}

impl Codes {
    fn new(room: usize) -> Codes {
        Codes {
            bytes: Vec::with_capacity(room),
            width: u32::from(DEPTH) + 1,
            pending: 0,
            count: 0,
        }
    }

    fn write(&mut self, code: u32) {
        self.pending |= u64::from(code) << self.count;
        self.count += self.width;
        if self.count >= 32 {
            self.bytes.extend((self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let last = self.pending.to_le_bytes();
        self.bytes.extend(&last[..self.count.div_ceil(8) as usize]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indices of several kinds: one run, few values, all values, runs broken by noise, and lengths around each limit.
    fn samples() -> Vec<Vec<u8>> {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u8
        };
        let mut samples = vec![vec![], vec![0], vec![255], vec![0; 2], vec![0; 3]];
        samples.push(vec![0; 9_000_000]);
        samples.push(vec![7; 100_000]);
        samples.push((0..200_000).map(|_| random()).collect());
        samples.push((0..200_000).map(|_| random() & 1).collect());
        let broken = (0..300_000).map(|_| if random() < 20 { random() } else { 0 });
        samples.push(broken.collect());
        samples
    }

    /// The picture as the GIF crate reads it.
    fn decompress(compressed: &[u8], length: usize) -> Vec<u8> {
        let (width, height) = (1000.min(length), length.div_ceil(1000));
        let mut file = b"GIF89a\0\0\0\0\x80\0\0\0\0\0\xFF\xFF\xFF,\0\0\0\0".to_vec();
        for side in [width, height] {
            file.extend((side as u16).to_le_bytes());
        }
        file.extend([0, DEPTH]);
        for block in compressed.chunks(255) {
            file.push(block.len() as u8);
            file.extend(block);
        }
        file.extend(b"\0;");
        let mut options = gif::DecodeOptions::new();
        options.check_lzw_end_code(true);
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut reader = options.read_info(&file[..]).unwrap();
        reader.next_frame_info().unwrap().unwrap();
        let mut indices = vec![0; length];
        reader.read_into_buffer(&mut indices).unwrap();
        indices
    }

    #[test]
    fn what_is_compressed_reads_back() {
        for indices in samples().into_iter().filter(|indices| !indices.is_empty()) {
            let length = indices.len();
            let compressed = compress(&indices);
            assert!(
                decompress(&compressed, length) == indices,
                "{length} indices"
            );
        }
        assert_eq!(compress(&[]), [0, 3, 2]);
    }

    /// Taking runs at once changes nothing: with every index moved by one they are not, and codes only differ by that.
    #[test]
    fn runs_that_are_taken_at_once_give_the_same_length() {
        for indices in samples() {
            let moved: Vec<u8> = indices.iter().map(|index| index.wrapping_add(1)).collect();
            assert_eq!(compress(&indices).len(), compress(&moved).len());
        }
    }
}
