//! How often the display shows a new frame.

use std::time::Duration;

use x11rb::protocol::randr::{ConnectionExt as _, ModeFlag, ModeInfo};
use x11rb::protocol::xproto::Window;
use x11rb::rust_connection::RustConnection;

/// Rates outside are none of a display.
const RATES: std::ops::RangeInclusive<f64> = 10.0..=1000.0;

/// The frame time of the fastest monitor in use; nothing where none says.
pub fn frame_time(connection: &RustConnection, root: Window) -> Option<Duration> {
    let resources = connection
        .randr_get_screen_resources_current(root)
        .ok()?
        .reply()
        .ok()?;
    let cookies: Vec<_> = resources
        .crtcs
        .iter()
        .filter_map(|&crtc| {
            connection
                .randr_get_crtc_info(crtc, resources.config_timestamp)
                .ok()
        })
        .collect();
    let rates = cookies
        .into_iter()
        .filter_map(|cookie| cookie.reply().ok())
        .filter_map(|crtc| {
            let mode = resources.modes.iter().find(|mode| mode.id == crtc.mode)?;
            rate(mode)
        });
    rates
        .max_by(f64::total_cmp)
        .map(|rate| Duration::from_secs_f64(1.0 / rate))
}

/// Frames per second of a mode.
fn rate(mode: &ModeInfo) -> Option<f64> {
    let mut lines = f64::from(mode.vtotal);
    if mode.mode_flags.contains(ModeFlag::DOUBLE_SCAN) {
        lines *= 2.0;
    }
    if mode.mode_flags.contains(ModeFlag::INTERLACE) {
        lines /= 2.0;
    }
    let rate = f64::from(mode.dot_clock) / (f64::from(mode.htotal) * lines);
    RATES.contains(&rate).then_some(rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(dot_clock: u32, htotal: u16, vtotal: u16, mode_flags: ModeFlag) -> ModeInfo {
        ModeInfo {
            dot_clock,
            htotal,
            vtotal,
            mode_flags,
            ..ModeInfo::default()
        }
    }

    #[test]
    fn rates_follow_from_the_mode() {
        let none = ModeFlag::default();
        let usual = rate(&mode(148_500_000, 2200, 1125, none)).unwrap();
        assert!((usual - 60.0).abs() < 1e-9);
        let fields = rate(&mode(74_250_000, 2200, 1125, ModeFlag::INTERLACE)).unwrap();
        assert!((fields - 60.0).abs() < 1e-9);
        let double = rate(&mode(148_500_000, 2200, 562, ModeFlag::DOUBLE_SCAN)).unwrap();
        assert!((double - 60.05).abs() < 0.01);
        // What servers without monitors say.
        assert_eq!(rate(&mode(0, 0, 0, none)), None);
        assert_eq!(rate(&mode(0, 1280, 720, none)), None);
    }
}
