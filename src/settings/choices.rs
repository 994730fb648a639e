//! What settings of a few names can be, each declared once.

use super::Choice;

macro_rules! choices {
    ($($(#[doc = $help:literal])+ $name:ident { $($(#[doc = $item_help:literal])+ $item:ident = $text:literal,)+ })+) => {$(
        $(#[doc = $help])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $item_help])+ $item,)+ }

        impl Choice for $name {
            const NAMES: &'static [&'static str] = &[$($text),+];
            const ALL: &'static [$name] = &[$($name::$item),+];
        }
    )+};
}

choices! {
    /// What is on or off.
    Switch {
        /// Off.
        Off = "off",
        /// On.
        On = "on",
    }

    /// How a noise value becomes a heading.
    Headings {
        /// Through the noise's own distribution: every direction is equally likely.
        Even = "even",
        /// As it is, as the original demo does: most headings point left.
        Raw = "raw",
    }

    /// The kind of noise.
    Noise {
        /// Gradients on a square lattice, blended smoothly up to the second derivative (Perlin 2002).
        Perlin = "perlin",
        /// The same, blended smoothly up to the first (Perlin 1985).
        Classic = "classic",
        /// Values on a square lattice.
        Value = "value",
        /// Gradients on a lattice of triangles or tetrahedra.
        Simplex = "simplex",
        /// The same on a lattice that shows no directions.
        OpenSimplex2 = "opensimplex2",
    }

    /// What becomes of the sum of octaves.
    NoiseShape {
        /// It stays as it is.
        Plain = "plain",
        /// Crests where it changes sign.
        Ridged = "ridged",
        /// Valleys where it changes sign.
        Billow = "billow",
        /// It is raised to a power.
        Power = "power",
        /// It goes through a sine, which makes bands.
        Sine = "sine",
    }

    /// What of the noise carries particles.
    Mode {
        /// A value is a heading.
        Angle = "angle",
        /// Two values are a velocity.
        Vector = "vector",
        /// Particles follow lines of equal value: nothing gathers, nothing thins out.
        Curl = "curl",
    }

    /// Where particles are born.
    Births {
        /// Anywhere.
        Uniform = "uniform",
        /// Where a noise of its own is high: on islands.
        Density = "density",
        /// Mostly at the bottom.
        Bottom = "bottom",
        /// Along an undulating band low in the window.
        Band = "band",
        /// On a disc with two arms.
        Disc = "disc",
    }

    /// What lengths are measured in.
    Lengths {
        /// Pixels.
        Pixels = "pixels",
        /// Pixels of a window whose shorter side has 1080 of them: the picture grows with its window.
        Window = "window",
    }

    /// What happens at the edges of the world.
    Edges {
        /// The field joins itself at the edges, as on a torus.
        Seamless = "seamless",
        /// Who leaves the window is gone until the next birth.
        Open = "open",
        /// Particles wrap, but the field jumps, as in the original demo.
        Plain = "plain",
    }

    /// How strokes are laid over what is there.
    Blend {
        /// Translucent paint, mixed as light mixes.
        Over = "over",
        /// Light added to light.
        Add = "add",
        /// Translucent paint, mixed in sRGB codes as the original demo does.
        Codes = "codes",
    }

    /// What of a thread chooses its color.
    ColorBy {
        /// A second channel of noise where it is.
        Noise = "noise",
        /// How fast it moves.
        Speed = "speed",
        /// Where it moves to; for palettes that end where they begin.
        Heading = "heading",
        /// How much of its life is over.
        Age = "age",
        /// The second channel of noise where it was born.
        Birthplace = "birthplace",
        /// How far it is from the middle of the window.
        Radius = "radius",
        /// Chance, for each thread another.
        Chance = "chance",
    }

    /// What lies behind the threads.
    Backdrop {
        /// One color.
        Flat = "flat",
        /// From background_top at the top to background at the bottom.
        Vertical = "vertical",
        /// The same by way of background_middle.
        Horizon = "horizon",
        /// From background_top in the middle to background in the corners.
        Radial = "radial",
    }

    /// What paints the picture in the window.
    Painter {
        /// The graphics hardware, or the processor where there is none.
        Auto = "auto",
        /// The graphics driver.
        Gpu = "gpu",
        /// The processor.
        Cpu = "cpu",
    }

    /// Whether the number of particles follows what the machine can do.
    Budget {
        /// As many as the settings say.
        Off = "off",
        /// Fewer while frames come late.
        Auto = "auto",
    }
}
