//! What the whole process has used.

use std::time::Duration;

/// Time on all processors since the start; zero where the system does not tell.
pub fn cpu_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(
            time.tv_sec.try_into().unwrap_or(0),
            time.tv_nsec.try_into().unwrap_or(0),
        )
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// The most memory that it had at once, in bytes; `None` where the system does not tell.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse_peak(&status)
}

/// The high water mark in the text of `/proc/self/status`, which counts in KiB.
fn parse_peak(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read() {
        let status = "Name:\teddyline\nVmPeak:\t  900 kB\nVmHWM:\t   1234 kB\nThreads:\t2\n";
        assert_eq!(parse_peak(status), Some(1234 * 1024));
        assert_eq!(parse_peak("VmHWM:\t many\n"), None);
        assert_eq!(parse_peak(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_has_used_something() {
        assert!(peak_memory().unwrap() > 1 << 20);
        let begin = cpu_time();
        let sum: u64 = (0..5_000_000u64).map(std::hint::black_box).sum();
        assert!(sum > 0 && cpu_time() > begin);
    }
}
