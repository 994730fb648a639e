//! Golden pictures: a hash of every look, of what no look shows, and of a film in each format that the program encodes itself.
//!
//! A picture is the same bits everywhere, so a hash that is another means that a look or a file is not what it was. The hashes
//! stand in `tests/data/golden.txt`, a line each. `BLESS=1 cargo test golden` writes that file anew, and the commit that does
//! so says why the pictures changed.
//!
//! Of a picture the pixels are hashed and not the PNG, which may be compressed in another way. Films of `ffmpeg` are left out: their
//! bytes are ffmpeg's. Encoders get frames that depend on no look, so that a look which changes touches its own lines and no
//! others.

use eddyline::settings::preset::EMBEDDED;

mod encoders;
mod ledger;
mod looks;
mod program;
mod scenes;

/// What each line of the file stands for, in the order of the lines.
fn titles() -> Vec<String> {
    let looks = EMBEDDED.iter().map(|(name, _)| *name);
    let looks = looks.flat_map(|name| looks::MOMENTS.map(|moment| ledger::title(name, moment)));
    let others = [scenes::TITLES, program::TITLES, encoders::TITLES].concat();
    let others = others
        .iter()
        .map(|(name, moment)| ledger::title(name, moment));
    looks.chain(others).collect()
}

/// A look that is gone leaves no line, and a new one has its line.
#[test]
fn lines_and_pictures_are_the_same_ones() {
    ledger::check_titles(&titles());
}
