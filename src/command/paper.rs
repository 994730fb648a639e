//! Sizes of paper.

/// Name, and the shorter and the longer side in mm (ISO 216; ANSI/ASME Y14.1 of letter, legal and tabloid).
const SIZES: [(&str, [f64; 2]); 10] = [
    ("a0", [841.0, 1189.0]),
    ("a1", [594.0, 841.0]),
    ("a2", [420.0, 594.0]),
    ("a3", [297.0, 420.0]),
    ("a4", [210.0, 297.0]),
    ("a5", [148.0, 210.0]),
    ("a6", [105.0, 148.0]),
    ("letter", [215.9, 279.4]),
    ("legal", [215.9, 355.6]),
    ("tabloid", [279.4, 431.8]),
];

/// All names.
pub fn names() -> String {
    SIZES.map(|(name, _)| name).join(", ")
}

/// Width and height of upright paper in mm, by its name in any letters.
pub fn size(name: &str) -> Option<[f64; 2]> {
    let found = SIZES
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, size)| size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_halves_of_each_other() {
        assert_eq!(size("A4"), Some([210.0, 297.0]));
        assert_eq!(size("a9"), None);
        for pair in SIZES[..7].windows(2) {
            let [[short, long], [half, same]] = [pair[0].1, pair[1].1];
            assert_eq!((same, half), (short, (long / 2.0).floor()));
        }
    }
}
