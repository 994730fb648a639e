//! The pointer as a hand in the water: what it does from frame to frame becomes events of the timeline.

use super::Live;
use crate::input::Pointer;
use crate::power::MOST_STEPS;
use crate::timeline::{Change, LASTING, Stir};

/// The fastest motion that the water feels, in px per step.
const FASTEST: f32 = 80.0;

/// Where the pointer was when the water last heard of it.
#[derive(Debug, Default)]
pub struct Hand {
    /// The place, and the step that was the next one to be computed then.
    last: Option<([f32; 2], i64)>,
    /// Where it is now; nothing while it is outside.
    place: Option<[f32; 2]>,
    /// The step of the last stir.
    stirred: Option<i64>,
}

impl Hand {
    /// Takes the hand out of the water: what it does next begins where it is then.
    pub fn lift(&mut self) {
        (self.last, self.stirred) = (None, None);
    }

    /// What the pointer did since the last frame; returns the stirs of the steps from `step` on, which is not computed yet.
    fn follow(&mut self, pointer: &[Pointer], step: i64) -> impl Iterator<Item = Stir> + use<> {
        for event in pointer {
            match event {
                Pointer::Moved(place) => self.place = Some(*place),
                Pointer::Left => (self.place, self.last) = (None, None),
                Pointer::Pressed => (),
            }
        }
        let (mut count, mut from, mut velocity) = (0, [0.0; 2], [0.0; 2]);
        if let Some(place) = self.place {
            match self.last {
                // No step since: what moved is felt in the next one.
                Some((_, before)) if step <= before => (),
                Some((last, before)) => {
                    if last != place {
                        count = (step - before).clamp(1, MOST_STEPS.into());
                        from = last;
                        velocity = [0, 1].map(|axis| (place[axis] - last[axis]) / count as f32);
                    }
                    self.last = Some((place, step));
                }
                None => self.last = Some((place, step)),
            }
        }
        let [x, y] = velocity;
        let share = (FASTEST / x.hypot(y)).min(1.0);
        (1..=count).map(move |number| Stir {
            place: [0, 1].map(|axis| from[axis] + velocity[axis] * number as f32),
            velocity: velocity.map(|side| side * share),
        })
    }
}

impl Live {
    /// Lets the pointer stir the water.
    pub(super) fn stir(&mut self, pointer: &[Pointer]) {
        // Two steps on: the next one is computed already.
        let stirs = self.hand.follow(pointer, self.picture.step() + 2);
        if self.is_paused {
            return self.hand.lift();
        }
        if self.picture.timeline().latest_settings().stir() == 0.0 {
            return;
        }
        for stir in stirs {
            let at = self.picture.push(Change::Stir(stir));
            let is_new = self.hand.stirred.is_none_or(|last| at > last + LASTING);
            self.hand.stirred = Some(at);
            if is_new {
                let [x, y] = stir.place;
                self.log.say(format_args!("EVENT stir {x:.0} {y:.0}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(hand: &mut Hand, pointer: &[Pointer], step: i64) -> Vec<([f32; 2], [f32; 2])> {
        let stirs = hand.follow(pointer, step);
        stirs.map(|stir| (stir.place, stir.velocity)).collect()
    }

    #[test]
    fn a_motion_is_one_stir_for_each_step() {
        let mut hand = Hand::default();
        let at = |x: f32| Pointer::Moved([x, 50.0]);
        assert_eq!(follow(&mut hand, &[at(10.0)], 100), []);
        let one = ([14.0, 50.0], [4.0, 0.0]);
        assert_eq!(follow(&mut hand, &[at(3.0), at(14.0)], 101), [one]);
        // A pointer that rests does nothing.
        assert_eq!(follow(&mut hand, &[at(14.0), Pointer::Pressed], 102), []);
        assert_eq!(follow(&mut hand, &[], 103), []);
        // A slow frame.
        let two = [([17.0, 50.0], [3.0, 0.0]), ([20.0, 50.0], [3.0, 0.0])];
        assert_eq!(follow(&mut hand, &[at(20.0)], 105), two);
        // Two frames in one step.
        assert_eq!(follow(&mut hand, &[at(21.0)], 105), []);
        let next = ([26.0, 50.0], [6.0, 0.0]);
        assert_eq!(follow(&mut hand, &[at(26.0)], 106), [next]);
        // A very fast one.
        let fast = ([1026.0, 50.0], [80.0, 0.0]);
        assert_eq!(follow(&mut hand, &[at(1026.0)], 107), [fast]);
    }

    #[test]
    fn coming_back_is_no_motion() {
        let mut hand = Hand::default();
        let at = |x: f32| Pointer::Moved([x, 50.0]);
        follow(&mut hand, &[at(10.0)], 1);
        assert_eq!(follow(&mut hand, &[at(20.0), Pointer::Left], 2), []);
        assert_eq!(follow(&mut hand, &[at(400.0)], 3), []);
        assert_eq!(follow(&mut hand, &[at(401.0)], 4).len(), 1);
        hand.lift();
        assert_eq!(follow(&mut hand, &[at(500.0)], 5), []);
    }
}
