//! A picture under way takes no memory: every allocation of the process is counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

use eddyline::canvas::cpu::CpuCanvas;
use eddyline::picture::{Picture, extent};
use eddyline::pool::{Chunks, Pool};
use eddyline::settings::preset::Preset;
use eddyline::settings::{Value, setting};
use eddyline::timeline::{Change, Stir, Timeline};

/// The system's memory, with a count of what was asked for.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static MEMORY: Counting = Counting;

const WINDOW: [f64; 2] = [640.0, 360.0];

/// Lets every thread of a pool work once: its first work takes memory, and on a busy machine that may come late.
fn set_all_to_work(pool: &Pool) {
    let all = Barrier::new(pool.threads());
    let mut places = vec![0; pool.threads()];
    pool.for_each(Chunks::new(&mut places, 1), |_, _| {
        all.wait();
    });
}

/// Allocations of 30 steps and frames after a while, with few particles (an exact field) or many (a grid).
fn allocations(preset: &str, particles: f64, threads: usize) -> u64 {
    let mut settings = Preset::load(preset).unwrap().settings;
    // Short lives, so that as many are born in a step as ever are.
    for (name, value) in [
        ("particles", particles),
        ("particles_max", particles),
        ("lifetime_shortest", 30.0),
        ("lifetime_longest", 60.0),
    ] {
        let value = Value::Number(value);
        setting(name).unwrap().set(&mut settings, value);
    }
    let pool = Pool::new(threads).unwrap();
    set_all_to_work(&pool);
    let mut canvas = CpuCanvas::new(extent(WINDOW, 1.0), pool.clone());
    let mut picture = Picture::new(Timeline::new(settings, WINDOW), pool);
    picture.seek(0);
    let mut paint = |step: i64| {
        // The list of what was stirred grows now and then, but not from the 90th to the 120th time.
        if (1..=120).contains(&step) {
            let place = [step as f32, 100.0];
            let velocity = [4.0, 4.0];
            picture.push(Change::Stir(Stir { place, velocity }));
        }
        picture.advance(&mut canvas, step);
        let fraction = if step % 3 == 0 { 0.5 } else { 0.0 };
        picture.present(&mut canvas, fraction);
    };
    (1..=90).for_each(&mut paint);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    (91..=120).for_each(&mut paint);
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// One test, so that nothing else of the process allocates meanwhile.
#[test]
fn frames_take_no_memory() {
    let counted = ALLOCATIONS.load(Ordering::Relaxed);
    assert!(counted > 0, "nothing is counted");
    let [alone, together] = [(500.0, 1), (31_000.0, 2)];
    let all = [alone, (500.0, 2), (31_000.0, 1), together];
    for (preset, runs) in [
        ("brook", &all[..]),
        ("original", &[alone, together]),
        ("water", &[alone, together]),
        ("galaxy", &[alone]),
        ("neon", &[alone]),
    ] {
        for &(particles, threads) in runs {
            // A thread of its own, as a program's main thread is: it works for its pool.
            let run = move || allocations(preset, particles, threads);
            let count = || std::thread::spawn(run).join().unwrap();
            // The harness takes memory itself, to say after a minute that a test is slow: once.
            let count = match count() {
                0 => 0,
                _ => count(),
            };
            assert_eq!(
                count, 0,
                "{preset}, {particles} particles, {threads} threads"
            );
        }
    }
}
