//! One safe source for every CPU: the compiler makes a clone for each level of instructions, and the program takes the
//! best that the CPU has.
//!
//! A clone differs from the others in how many numbers it works on at once, never in what it computes: Rust contracts
//! no `a * b + c` by itself, so all levels give the same bits.

mod blend;

pub use blend::{Blend, Node, blend, scaled, weights};

/// A level of instructions that this CPU has; a value of it proves so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Instructions);

/// In rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    /// What every CPU of this architecture has: on x86-64 that is SSE2.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// A level that cannot be had.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum LevelError {
    /// No level of this architecture.
    #[error("--kernel {0}: allowed is {list}", list = names().join(", "))]
    Unknown(String),
    /// A level of this architecture that this CPU lacks.
    #[error("--kernel {name}: this CPU has only {list}", list = available().map(Level::name).collect::<Vec<_>>().join(", "))]
    Missing {
        /// The level's name.
        name: String,
    },
}

#[cfg(target_arch = "x86_64")]
const ALL: [Instructions; 3] = [
    Instructions::Baseline,
    Instructions::Avx2,
    Instructions::Avx512,
];
#[cfg(not(target_arch = "x86_64"))]
const ALL: [Instructions; 1] = [Instructions::Baseline];

impl Instructions {
    fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Instructions::Baseline => "sse2",
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
        }
    }

    fn is_available(self) -> bool {
        match self {
            Instructions::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                Instructions::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
    }
}

impl Level {
    /// What every CPU of this architecture has.
    pub const BASELINE: Level = Level(Instructions::Baseline);

    /// The best level of this CPU.
    pub fn best() -> Level {
        available().last().unwrap_or(Level::BASELINE)
    }

    /// The level of this name.
    ///
    /// # Errors
    ///
    /// When there is none, or this CPU lacks it.
    pub fn named(name: &str) -> Result<Level, LevelError> {
        let instructions = ALL
            .into_iter()
            .find(|instructions| instructions.name() == name)
            .ok_or_else(|| LevelError::Unknown(name.to_owned()))?;
        if instructions.is_available() {
            Ok(Level(instructions))
        } else {
            Err(LevelError::Missing {
                name: name.to_owned(),
            })
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    pub(crate) fn instructions(self) -> Instructions {
        self.0
    }
}

/// The levels of this CPU, in rising order.
pub fn available() -> impl Iterator<Item = Level> {
    ALL.into_iter()
        .filter(|instructions| instructions.is_available())
        .map(Level)
}

/// The names of all levels of this architecture.
pub fn names() -> Vec<&'static str> {
    ALL.map(Instructions::name).to_vec()
}

/// Asks for the memory of items that will soon be read: a loop that computes much between two reads outruns what the
/// processor fetches by itself. Changes nothing else.
#[inline(always)]
pub fn fetch<T>(items: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in items.chunks((64 / size_of::<T>().max(1)).max(1)) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: fetching is allowed at any address, and this one is that of items.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = items;
}

/// Declares a function whose body is compiled once for each level; the level becomes its first argument.
///
/// What the body calls must be `#[inline(always)]` or small, or it stays at the baseline. Closures lose the level: plain
/// loops only.
macro_rules! clones {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name(level: $crate::simd::Level, $($argument: $type),*) {
            #[inline(always)]
            fn baseline($($argument: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2($($argument: $type),*) {
                baseline($($argument),*);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512($($argument: $type),*) {
                baseline($($argument),*);
            }

            match level.instructions() {
                $crate::simd::Instructions::Baseline => baseline($($argument),*),
                // SAFETY: a `Level` exists only where the CPU has its instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Instructions::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Instructions::Avx512 => unsafe { avx512($($argument),*) },
            }
        }
    };
}

pub(crate) use clones;

#[cfg(test)]
mod tests {
    use super::*;

    clones! {
        /// As a program with wide numbers would: a sum that rounds at every operation.
        fn waves(values: &mut [f32]) {
            for (index, value) in values.iter_mut().enumerate() {
                *value = *value * 1.000_1 + index as f32 * 0.333_3;
            }
        }
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let mut expected = [0.1f32; 1003];
        waves(Level::BASELINE, &mut expected);
        for level in available() {
            let mut values = [0.1f32; 1003];
            waves(level, &mut values);
            assert_eq!(values, expected, "{}", level.name());
        }
    }

    #[test]
    fn levels_are_found_by_name() {
        for level in available() {
            assert_eq!(Level::named(level.name()), Ok(level));
        }
        assert_eq!(
            Level::named("mmx").unwrap_err().to_string(),
            format!("--kernel mmx: allowed is {}", names().join(", "))
        );
        let missing = LevelError::Missing {
            name: "avx512".to_owned(),
        };
        assert!(
            missing
                .to_string()
                .starts_with("--kernel avx512: this CPU has only ")
        );
        assert!(available().any(|level| level == Level::best()));
    }
}
