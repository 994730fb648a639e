//! Contests between pieces of work that do the same: how long each takes, and how many times as long as another.
//!
//! The contestants take turns, so that whatever else the machine does slows all of them, and the median turn counts.
//! The ratios of one run can be compared with those of another; the times cannot. Nothing here knows what the work is.

use std::time::{Duration, Instant};

/// A turn repeats its work for about this long, so that the clock's own time does not count.
const TURN: Duration = Duration::from_millis(2);

/// Each contestant runs for this long before it is timed, and twice at least.
const WARM_UP: Duration = Duration::from_millis(50);

/// Pieces of work that will be timed against each other.
pub struct Contest<'a> {
    title: String,
    items: usize,
    contestants: Vec<Contestant<'a>>,
}

/// One of the contestants, by the order in which they entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry(usize);

/// A piece of work and how long its turns took.
struct Contestant<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
    /// How often a turn repeats the work.
    repeats: u32,
    turns: Vec<Duration>,
}

/// What a contest found.
pub struct Outcome {
    title: String,
    rounds: usize,
    /// Names and ns per item.
    rows: Vec<(String, f64)>,
}

impl<'a> Contest<'a> {
    /// A contest without contestants, in which each run of a piece of work handles `items` items.
    pub fn new(title: String, items: usize) -> Contest<'a> {
        Contest {
            title,
            items,
            contestants: Vec::new(),
        }
    }

    /// Adds a contestant. Its work leaves what it computed in a `black_box`, or it may be optimized away.
    pub fn enter(&mut self, name: String, work: impl FnMut() + 'a) -> Entry {
        self.contestants.push(Contestant {
            name,
            work: Box::new(work),
            repeats: 1,
            turns: Vec::new(),
        });
        Entry(self.contestants.len() - 1)
    }

    /// Times all contestants, one turn of each in every round.
    pub fn run(mut self, rounds: usize) -> Outcome {
        for contestant in &mut self.contestants {
            contestant.warm_up();
        }
        for _ in 0..rounds {
            for contestant in &mut self.contestants {
                contestant.take_turn();
            }
        }
        let items = self.items as f64;
        let row = |contestant: Contestant| {
            let nanoseconds = contestant.median().as_secs_f64() * 1e9;
            (contestant.name, nanoseconds / items)
        };
        Outcome {
            title: self.title,
            rounds,
            rows: self.contestants.into_iter().map(row).collect(),
        }
    }
}

impl Contestant<'_> {
    /// Fills the caches, and finds how many repeats make a turn.
    fn warm_up(&mut self) {
        let start = Instant::now();
        let mut runs = 0;
        while runs < 2 || start.elapsed() < WARM_UP {
            (self.work)();
            runs += 1;
        }
        let each = start.elapsed().as_secs_f64() / f64::from(runs);
        self.repeats = (TURN.as_secs_f64() / each).ceil() as u32;
    }

    /// The first run is not timed: it takes the caches back from whose turn it was before.
    fn take_turn(&mut self) {
        (self.work)();
        let start = Instant::now();
        for _ in 0..self.repeats {
            (self.work)();
        }
        self.turns.push(start.elapsed() / self.repeats);
    }

    fn median(&self) -> Duration {
        let mut turns = self.turns.clone();
        turns.sort();
        turns[turns.len() / 2]
    }
}

impl Outcome {
    /// Prints the time per item of every contestant, and how many times as long as each of `references` it takes.
    pub fn print(&self, references: &[Entry]) {
        println!("\n{} (median of {} rounds)", self.title, self.rounds);
        let names = self.rows.iter().map(|(name, _)| name.len());
        let width = names.max().unwrap_or(0);
        print!("  {:width$}  {:>10}", "", "time");
        for &Entry(reference) in references {
            print!("  / {}", self.rows[reference].0);
        }
        println!();
        for (row, (name, nanoseconds)) in self.rows.iter().enumerate() {
            print!("  {name:width$}  {:>10}", readable(*nanoseconds));
            for &reference in references {
                let column = self.rows[reference.0].0.len() + 2;
                print!("  {:>column$.2}", self.ratio(Entry(row), reference));
            }
            println!();
        }
    }

    /// Prints how many times as long as another a contestant takes.
    pub fn print_ratio(&self, slow: Entry, fast: Entry) {
        let [(slow_name, _), (fast_name, _)] = [&self.rows[slow.0], &self.rows[fast.0]];
        println!("  {slow_name} / {fast_name}: {:.2}", self.ratio(slow, fast));
    }

    fn ratio(&self, slow: Entry, fast: Entry) -> f64 {
        self.rows[slow.0].1 / self.rows[fast.0].1
    }
}

/// A time in the unit that suits it.
fn readable(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.2} ns"),
        ..1e6 => format!("{:.2} us", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}
