//! What was measured, as a table for people and a line for scripts.

use std::io::{self, Write};
use std::time::Duration;

use super::stages::Stages;
use crate::simd::Level;

/// Everything that was measured.
pub(super) struct Report {
    pub size: [u32; 2],
    pub canvas: &'static str,
    /// How what was painted is drawn, where a driver or a window had it.
    pub way: Option<String>,
    pub threads: usize,
    pub level: Level,
    /// Particles asked for in the window, and alive in the world.
    pub window_particles: u32,
    pub particles: usize,
    /// Nodes of the grid that the field is interpolated on; 0 where it is exact.
    pub nodes: usize,
    /// One for each frame; at least one.
    pub stages: Vec<Stages>,
    /// Of the whole process, per frame.
    pub cpu: Duration,
    /// In bytes.
    pub memory: Option<u64>,
    /// In ns per particle.
    pub floor: f64,
}

/// Median and 99th percentile of a stage in ms.
#[derive(Clone, Copy)]
struct Spread {
    median: f64,
    p99: f64,
}

impl Report {
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let [width, height] = self.size;
        let (threads, plural) = (self.threads, if self.threads == 1 { "" } else { "s" });
        let (canvas, kernel) = (self.canvas, self.level.name());
        let path = self
            .way
            .as_ref()
            .map_or(String::new(), |way| format!(" ({way})"));
        let frames = self.stages.len();
        writeln!(
            out,
            "{width}x{height}, canvas {canvas}{path}, {threads} thread{plural}, kernel {kernel}, {frames} frames"
        )?;
        let (particles, window) = (self.particles, self.window_particles);
        let field = match self.nodes {
            0 => "exact for each".to_owned(),
            nodes => format!("interpolated between {nodes} nodes"),
        };
        writeln!(
            out,
            "{particles} particles, {window} of them in the window; the field is {field}\n"
        )?;
        self.write_stages(out)?;
        let [step, floor] = [self.step_ns(), self.floor];
        writeln!(
            out,
            "\nstep      {step:9.3} ns per particle; the same memory traffic without work {floor:.3}"
        )?;
        writeln!(out, "process   {:9.3} ms of CPU per frame", self.cpu_ms())?;
        writeln!(out, "memory    {:9} MB at most\n", self.memory_mb())?;
        self.write_keys(out)
    }

    fn write_stages(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "ms per frame   median      p99")?;
        let mut row = |name: &str, stage: fn(&Stages) -> Duration| {
            let Spread { median, p99 } = self.spread(stage);
            writeln!(out, "{name:12} {median:8.3} {p99:8.3}")
        };
        row("step", step)?;
        row("  field", |stages| stages.field)?;
        row("  particles", |stages| stages.particles)?;
        if self.canvas != "none" {
            row("fade", |stages| stages.fade)?;
            row("stroke", |stages| stages.stroke)?;
        }
        if self.way.is_some() {
            row("  upload", |stages| stages.upload)?;
        }
        if self.canvas != "none" {
            row("present", |stages| stages.present)?;
        }
        if self.way.is_some() {
            row("driver", |stages| stages.driver)?;
        }
        row("frame", |stages| stages.frame)
    }

    fn write_keys(&self, out: &mut dyn Write) -> io::Result<()> {
        let median = |stage: fn(&Stages) -> Duration| self.spread(stage).median;
        let field = if self.nodes == 0 { "exact" } else { "grid" };
        // One word, for scripts.
        let path = self.way.as_deref().unwrap_or("none").replace(' ', "_");
        writeln!(
            out,
            "particles={} threads={} canvas={} path={path} kernel={} width={} height={} frames={} field={field} nodes={} step_ms={:.4} \
             field_ms={:.4} step_ns_per_particle={:.3} floor_ns_per_particle={:.3} stroke_ms={:.4} \
             upload_ms={:.4} fade_ms={:.4} present_ms={:.4} driver_ms={:.4} frame_ms={:.4} frame_cpu_ms={:.4} memory_mb={}",
            self.particles,
            self.threads,
            self.canvas,
            self.level.name(),
            self.size[0],
            self.size[1],
            self.stages.len(),
            self.nodes,
            median(step),
            median(|stages| stages.field),
            self.step_ns(),
            self.floor,
            median(|stages| stages.stroke),
            median(|stages| stages.upload),
            median(|stages| stages.fade),
            median(|stages| stages.present),
            median(|stages| stages.driver),
            median(|stages| stages.frame),
            self.cpu_ms(),
            self.memory_mb(),
        )
    }

    fn spread(&self, stage: fn(&Stages) -> Duration) -> Spread {
        let mut times: Vec<f64> = self
            .stages
            .iter()
            .map(|stages| stage(stages).as_secs_f64() * 1e3)
            .collect();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        Spread {
            median: at(0.5),
            p99: at(0.99),
        }
    }

    /// The step for each particle; without particles, for none.
    fn step_ns(&self) -> f64 {
        self.spread(step).median * 1e6 / self.particles.max(1) as f64
    }

    fn cpu_ms(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e3
    }

    /// In MB of 10^6 bytes, or what stands for not known.
    fn memory_mb(&self) -> String {
        self.memory.map_or("unknown".to_owned(), |bytes| {
            (bytes / 1_000_000).to_string()
        })
    }
}

fn step(stages: &Stages) -> Duration {
    stages.field + stages.particles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canvas::gpu::{Light, Path, Quads};

    fn report(
        canvas: &'static str,
        path: Option<Path>,
        nodes: usize,
        memory: Option<u64>,
    ) -> String {
        let stages = |ms: u64| Stages {
            field: Duration::from_millis(ms),
            particles: Duration::from_millis(2 * ms),
            fade: Duration::from_millis(5),
            stroke: Duration::from_millis(6),
            upload: Duration::from_millis(4),
            present: Duration::from_millis(7),
            driver: Duration::from_millis(8),
            frame: Duration::from_millis(18 + 3 * ms),
        };
        let report = Report {
            size: [640, 480],
            canvas,
            way: path.map(|path| path.to_string()),
            threads: 1,
            level: Level::BASELINE,
            window_particles: 900,
            particles: 1000,
            nodes,
            stages: (1..=101).map(stages).collect(),
            cpu: Duration::from_micros(1500),
            memory,
            floor: 2.0,
        };
        let mut out = Vec::new();
        report.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn medians_and_percentiles_are_those_of_the_frames() {
        let text = report("cpu", None, 0, Some(61_700_000));
        assert!(text.contains("step          153.000  300.000\n"), "{text}");
        assert!(text.contains("  particles   102.000  200.000\n"), "{text}");
        assert!(text.contains("stroke          6.000    6.000\n"), "{text}");
        assert!(text.contains("field is exact for each"), "{text}");
        let line = text.lines().last().unwrap();
        for pair in [
            "particles=1000",
            "threads=1",
            "canvas=cpu",
            "field=exact",
            "step_ms=153.0000",
            "step_ns_per_particle=153000.000",
            "floor_ns_per_particle=2.000",
            "frame_cpu_ms=1.5000",
            "memory_mb=61",
        ] {
            assert!(line.split(' ').any(|found| found == pair), "{pair}: {line}");
        }
    }

    #[test]
    fn the_gpu_has_rows_of_its_own() {
        let path = Path {
            light: Light::Half,
            quads: Quads::Expanded,
        };
        let text = report("gpu", Some(path), 0, None);
        assert!(text.starts_with("640x480, canvas gpu (half,expanded), "));
        assert!(
            text.contains("\n  upload        4.000    4.000\n"),
            "{text}"
        );
        assert!(
            text.contains("\ndriver          8.000    8.000\n"),
            "{text}"
        );
        let line = text.lines().last().unwrap();
        assert!(line.contains(" canvas=gpu path=half,expanded "), "{line}");
        assert!(
            line.contains(" upload_ms=4.0000 ") && line.contains(" driver_ms=8.0000 "),
            "{line}"
        );
        let without = report("cpu", None, 0, None);
        assert!(!without.contains("\n  upload") && without.contains(" path=none "));
    }

    #[test]
    fn what_is_not_there_is_not_shown() {
        let text = report("none", None, 77, None);
        assert!(
            !text.contains("\nstroke") && text.contains("between 77 nodes"),
            "{text}"
        );
        assert!(text.trim_end().ends_with("memory_mb=unknown"), "{text}");
    }
}
