//! When a screensaver ends: at a sign of somebody. It knows no window, only what is new in each frame.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::host::{Events, View};
use crate::input::{Action, Pointer};

/// What comes this soon after the start still belongs to it: the key that started it, the window under the pointer.
const DEAF: Duration = Duration::from_millis(500);

/// How far a pointer has to move within [`WINDOW`], in logical px: less is a table that shakes.
const FAR: f32 = 10.0;

/// The time in which motion adds up.
const WINDOW: Duration = Duration::from_secs(1);

/// Watches for somebody.
#[derive(Debug, Default)]
pub struct Saver {
    /// When the first frame began.
    begin: Option<Instant>,
    is_listening: bool,
    /// What the pointer's places refer to.
    view: Option<View>,
    /// Where the pointer was last; nothing before its first motion, which a window system makes up.
    pointer: Option<[f32; 2]>,
    /// How far the pointer moved, and when, within the last [`WINDOW`].
    motions: VecDeque<(Instant, f32)>,
}

impl Saver {
    /// Whether somebody is there, or the window is to be closed.
    pub fn ends(&mut self, events: &Events) -> bool {
        if events.actions.contains(&Action::Quit) && !events.has_key {
            return true;
        }
        let begin = *self.begin.get_or_insert(events.now);
        let is_deaf = events.now.saturating_duration_since(begin) < DEAF;
        self.is_listening = !is_deaf;
        let has_moved = self.has_moved(events, is_deaf);
        let is_pressed = events.pointer.contains(&Pointer::Pressed);
        let has_key = events.has_key || !events.actions.is_empty();
        !is_deaf && (has_moved || is_pressed || has_key)
    }

    /// Whether nothing but a closed window would have ended it in the last frame.
    pub fn is_deaf(&self) -> bool {
        !self.is_listening
    }

    /// Follows the pointer; whether it went far enough in the last second.
    fn has_moved(&mut self, events: &Events, is_deaf: bool) -> bool {
        // In a window of another size or place the pointer is elsewhere without having moved.
        if self.view.replace(events.view) != Some(events.view) {
            self.pointer = None;
        }
        let mut moved = 0.0;
        for event in events.pointer {
            let Pointer::Moved(place) = *event else {
                continue;
            };
            if let Some([x, y]) = self.pointer.replace(place) {
                moved += (place[0] - x).hypot(place[1] - y);
            }
        }
        if moved > 0.0 && !is_deaf {
            self.motions.push_back((events.now, moved));
        }
        let is_over =
            |motion: &mut (Instant, f32)| events.now.saturating_duration_since(motion.0) >= WINDOW;
        while self.motions.pop_front_if(is_over).is_some() {}
        self.motions.iter().map(|(_, moved)| moved).sum::<f32>() >= FAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Direction;

    const VIEW: View = View {
        size: [1280, 720],
        scale: 1.0,
    };

    /// A saver and its first moment.
    struct Night {
        saver: Saver,
        begin: Instant,
    }

    impl Night {
        fn new() -> Night {
            let mut night = Night {
                saver: Saver::default(),
                begin: Instant::now(),
            };
            let nothing = night.at(0.0);
            assert!(!night.saver.ends(&nothing));
            night
        }

        /// A frame in which nothing is new.
        fn at(&self, seconds: f64) -> Events<'static> {
            Events {
                now: self.begin + Duration::from_secs_f64(seconds),
                view: VIEW,
                actions: &[],
                pointer: &[],
                has_key: false,
                is_visible: true,
                painter: "",
            }
        }

        fn acts(&mut self, seconds: f64, actions: &[Action], has_key: bool) -> bool {
            let events = self.at(seconds);
            self.saver.ends(&Events {
                actions,
                has_key,
                ..events
            })
        }

        fn points(&mut self, seconds: f64, pointer: &[Pointer]) -> bool {
            let events = self.at(seconds);
            self.saver.ends(&Events { pointer, ..events })
        }

        fn moves(&mut self, seconds: f64, x: f32) -> bool {
            self.points(seconds, &[Pointer::Moved([x, 100.0])])
        }
    }

    #[test]
    fn any_key_ends_it_but_not_at_once() {
        let mut night = Night::new();
        assert!(!night.acts(0.1, &[], true));
        assert!(!night.acts(0.49, &[], true));
        assert!(!night.acts(0.5, &[], false));
        assert!(night.acts(0.5, &[], true));
        // A key with a meaning is a key, too.
        let key = [Action::StepChosen(Direction::Up)];
        let mut night = Night::new();
        assert!(!night.acts(0.4, &key, false));
        assert!(night.acts(0.6, &key, false));
    }

    #[test]
    fn a_closed_window_ends_it_at_once_but_an_early_escape_does_not() {
        let mut night = Night::new();
        assert!(!night.acts(0.1, &[Action::Quit], true));
        assert!(night.acts(0.1, &[Action::Quit], false));
    }

    #[test]
    fn a_click_or_the_wheel_ends_it_but_not_at_once() {
        let mut night = Night::new();
        assert!(!night.points(0.49, &[Pointer::Pressed]));
        assert!(night.points(0.5, &[Pointer::Pressed]));
    }

    #[test]
    fn the_first_motion_is_where_the_pointer_was() {
        let mut night = Night::new();
        assert!(!night.moves(5.0, 900.0));
        assert!(!night.moves(5.1, 909.0));
        assert!(night.moves(5.2, 910.0));
    }

    #[test]
    fn early_motion_counts_for_nothing() {
        let mut night = Night::new();
        assert!(!night.moves(0.0, 0.0));
        assert!(!night.moves(0.4, 500.0));
        assert!(!night.moves(0.6, 509.0));
        assert!(night.moves(0.7, 510.0));
    }

    #[test]
    fn ten_px_within_a_second_end_it_in_whatever_direction() {
        let mut night = Night::new();
        let places = [[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]].map(Pointer::Moved);
        assert!(!night.points(1.0, &places[..2]));
        assert!(night.points(1.9, &places[2..]));
        // And all of it in one frame.
        let mut night = Night::new();
        assert!(night.points(1.0, &places));
    }

    #[test]
    fn slow_drift_does_not_end_it() {
        let mut night = Night::new();
        for second in 1..600 {
            assert!(!night.moves(f64::from(second), 9.0 * second as f32));
        }
        let mut night = Night::new();
        assert!(!night.moves(1.0, 0.0));
        assert!(!night.moves(2.0, 9.0));
        assert!(!night.moves(3.0, 18.0));
        assert!(night.moves(3.9, 19.0));
    }

    #[test]
    fn leaving_is_no_motion() {
        let mut night = Night::new();
        assert!(!night.moves(1.0, 0.0));
        for _ in 0..20 {
            assert!(!night.points(1.5, &[Pointer::Left]));
        }
        assert!(!night.moves(1.6, 2.0));
    }

    #[test]
    fn a_window_that_moves_under_the_pointer_is_no_motion() {
        let mut night = Night::new();
        assert!(!night.moves(1.0, 100.0));
        let events = night.at(1.1);
        assert!(!night.saver.ends(&Events {
            view: View {
                size: [1920, 1080],
                ..VIEW
            },
            pointer: &[Pointer::Moved([700.0, 100.0])],
            ..events
        }));
    }
}
