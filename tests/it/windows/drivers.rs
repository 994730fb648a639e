//! The window on drivers of other kinds.

use super::xvfb::Display;
use crate::paths::GL_2;
use crate::support::preset;

/// The window draws with OpenGL 2 as well, and on the least of all paths.
#[test]
fn the_window_shows_the_water_on_old_drivers() {
    let Some(display) = Display::start() else {
        return;
    };
    let background = preset("brook").background().0;
    let light_of = |variables: &[(&str, &str)], path: &[&str]| {
        let arguments = ["--size", "320x180", "--canvas", "gpu"];
        let program = display.run_under(variables, &[&arguments, path].concat());
        program.look().light(background)
    };
    let usual = light_of(&[], &[]);
    for (variables, path) in [
        (&GL_2[..], &[][..]),
        (&GL_2, &["--canvas-path", "bytes"]),
        (&[], &["--canvas-path", "bytes,expanded"]),
    ] {
        let light = light_of(variables, path);
        println!("{path:?}: {:.3} of the usual light", light / usual);
        assert!((light / usual - 1.0).abs() < 0.1, "{path:?}");
    }
}
