//! Whether the machine runs on its battery, as Linux says in files, and how many frames are shown then.
//!
//! It reads no clock: moments are handed in. Files that are missing, unreadable or full of nonsense say nothing, and
//! a machine that says nothing is not on battery.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where Linux describes what the machine gets its power from.
pub const SUPPLIES: &str = "/sys/class/power_supply";

/// Frames per second on battery, where nothing else is asked for.
const FPS: f64 = 30.0;

/// Time between two looks: reading a battery's state wakes firmware.
const PERIOD: Duration = Duration::from_secs(30);

/// What the machine gets its power from, looked at now and then.
#[derive(Debug)]
pub struct PowerSource {
    folder: PathBuf,
    looked: Option<Instant>,
    is_battery: bool,
}

impl PowerSource {
    /// What a folder says, which is [`SUPPLIES`] but in tests.
    pub fn new(folder: PathBuf) -> PowerSource {
        PowerSource {
            folder,
            looked: None,
            is_battery: false,
        }
    }

    /// The most frames per second where no number is asked for; nothing is no limit. Reads files at the first call, and
    /// then every 30 seconds.
    pub fn fps_limit(&mut self, now: Instant) -> Option<f64> {
        let is_due = |looked| now.saturating_duration_since(looked) >= PERIOD;
        if self.looked.is_none_or(is_due) {
            self.looked = Some(now);
            self.is_battery = is_on_battery(&self.folder);
        }
        self.is_battery.then_some(FPS)
    }
}

/// Whether a battery is being discharged while nothing else supplies the machine.
fn is_on_battery(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let supplies: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|supply| !belongs_to_a_device(supply))
        .collect();
    // Batteries come last: their files are slow to read, and on mains nobody has to ask them.
    !supplies.iter().any(|supply| supplies_from_outside(supply))
        && supplies.iter().any(|supply| is_discharging(supply))
}

/// Whether a supply is that of a mouse, say, and not of the machine.
fn belongs_to_a_device(supply: &Path) -> bool {
    word(supply, "scope").as_deref() == Some("Device")
}

/// Whether a supply is a plug, and something comes out of it.
fn supplies_from_outside(supply: &Path) -> bool {
    let is_plug =
        word(supply, "type").is_some_and(|kind| kind == "Mains" || kind.starts_with("USB"));
    // 1 is a fixed voltage, 2 one that was agreed upon.
    is_plug && word(supply, "online").is_some_and(|online| online == "1" || online == "2")
}

fn is_discharging(supply: &Path) -> bool {
    word(supply, "type").as_deref() == Some("Battery")
        && word(supply, "status").as_deref() == Some("Discharging")
}

/// What a file of a supply says.
fn word(supply: &Path, file: &str) -> Option<String> {
    let text = fs::read_to_string(supply.join(file)).ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A folder with these supplies: name, then files and what they hold.
    fn folder(supplies: &[(&str, &[(&str, &str)])]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, files) in supplies {
            let supply = folder.path().join(name);
            fs::create_dir(&supply).unwrap();
            for (file, content) in *files {
                fs::write(supply.join(file), format!("{content}\n")).unwrap();
            }
        }
        folder
    }

    fn limit(supplies: &[(&str, &[(&str, &str)])]) -> Option<f64> {
        let folder = folder(supplies);
        PowerSource::new(folder.path().to_owned()).fps_limit(Instant::now())
    }

    const DISCHARGING: &[(&str, &str)] = &[("type", "Battery"), ("status", "Discharging")];
    const CHARGING: &[(&str, &str)] = &[("type", "Battery"), ("status", "Charging")];
    const UNPLUGGED: &[(&str, &str)] = &[("type", "Mains"), ("online", "0")];
    const PLUGGED: &[(&str, &str)] = &[("type", "Mains"), ("online", "1")];

    #[test]
    fn a_desktop_has_no_limit() {
        assert_eq!(limit(&[]), None);
        assert_eq!(limit(&[("AC", PLUGGED)]), None);
        assert_eq!(limit(&[("AC", UNPLUGGED)]), None);
        let nowhere = PathBuf::from("/nowhere/at/all");
        assert_eq!(PowerSource::new(nowhere).fps_limit(Instant::now()), None);
    }

    #[test]
    fn a_laptop_on_mains_has_no_limit() {
        assert_eq!(limit(&[("AC", PLUGGED), ("BAT0", CHARGING)]), None);
        let full = &[("type", "Battery"), ("status", "Full")];
        assert_eq!(limit(&[("AC", PLUGGED), ("BAT0", full)]), None);
        // One that draws more than its plug gives, or has two batteries.
        assert_eq!(limit(&[("BAT0", DISCHARGING), ("AC", PLUGGED)]), None);
        let unused = &[("type", "Battery"), ("status", "Not charging")];
        assert_eq!(limit(&[("AC", UNPLUGGED), ("BAT0", unused)]), None);
    }

    #[test]
    fn usb_supplies_as_mains_do() {
        for (kind, online, expected) in [
            ("USB", "1", None),
            ("USB_C", "1", None),
            ("USB_PD", "2", None),
            ("USB", "0", Some(30.0)),
            ("Battery", "1", Some(30.0)),
        ] {
            let port = &[("type", kind), ("online", online)];
            assert_eq!(
                limit(&[("port", port), ("BAT0", DISCHARGING)]),
                expected,
                "{kind} {online}"
            );
        }
    }

    #[test]
    fn on_battery_30_frames_are_shown() {
        assert_eq!(limit(&[("BAT0", DISCHARGING)]), Some(30.0));
        assert_eq!(
            limit(&[("AC", UNPLUGGED), ("BAT0", DISCHARGING)]),
            Some(30.0)
        );
        let full = &[("type", "Battery"), ("status", "Full")];
        assert_eq!(limit(&[("BAT0", full), ("BAT1", DISCHARGING)]), Some(30.0));
    }

    #[test]
    fn a_mouse_is_not_the_machine() {
        let mouse = &[
            ("type", "Battery"),
            ("status", "Discharging"),
            ("scope", "Device"),
        ];
        assert_eq!(limit(&[("hidpp_battery_0", mouse)]), None);
        let pad = &[("type", "USB"), ("online", "1"), ("scope", "Device")];
        assert_eq!(limit(&[("pad", pad), ("BAT0", DISCHARGING)]), Some(30.0));
        let own = &[
            ("type", "Battery"),
            ("status", "Discharging"),
            ("scope", "System"),
        ];
        assert_eq!(limit(&[("BAT0", own)]), Some(30.0));
    }

    #[test]
    fn nonsense_says_nothing() {
        let folder = folder(&[
            ("BAT0", &[("type", "Battery"), ("status", "discharging?")]),
            ("BAT1", &[("type", "Battery")]),
            ("BAT2", &[("status", "Discharging")]),
            ("AC", &[("type", "Mains"), ("online", "yes")]),
            ("empty", &[]),
        ]);
        let at = |path: &str| folder.path().join(path);
        fs::write(at("file"), "Discharging").unwrap();
        fs::write(at("empty/type"), [0xff, 0xfe, 0]).unwrap();
        fs::create_dir(at("empty/status")).unwrap();
        let limit = || PowerSource::new(folder.path().to_owned()).fps_limit(Instant::now());
        assert_eq!(limit(), None);
        // And does not hide what makes sense.
        fs::write(at("BAT1/status"), "Discharging").unwrap();
        assert_eq!(limit(), Some(30.0));
        assert_eq!(PowerSource::new(at("file")).fps_limit(Instant::now()), None);
    }

    #[test]
    fn the_files_are_read_every_30_seconds() {
        let folder = folder(&[("AC", PLUGGED), ("BAT0", DISCHARGING)]);
        let mut source = PowerSource::new(folder.path().to_owned());
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs_f64(seconds);
        assert_eq!(source.fps_limit(begin), None);
        fs::write(folder.path().join("AC/online"), "0").unwrap();
        assert_eq!(source.fps_limit(after(29.9)), None);
        assert_eq!(source.fps_limit(after(30.0)), Some(30.0));
        fs::write(folder.path().join("AC/online"), "1").unwrap();
        assert_eq!(source.fps_limit(after(59.9)), Some(30.0));
        assert_eq!(source.fps_limit(after(60.0)), None);
        // A moment before the last one is no reason to look.
        fs::write(folder.path().join("AC/online"), "0").unwrap();
        assert_eq!(source.fps_limit(begin), None);
    }
}
