//! The probe in a process of its own: what a driver takes of memory and time goes with it, and so does a crash.

use std::process::{Command, Stdio};

use super::{Platform, ProbeError, Renderer};

/// Says what [`super::probe`] found, for [`probe_apart`]: a line for each fact, or one for what is wrong.
pub fn write(found: &Result<Renderer, ProbeError>) -> String {
    match found {
        Ok(renderer) => {
            let Renderer {
                platform,
                vendor,
                renderer,
                version,
                half_targets,
                single_targets,
                instancing,
            } = renderer;
            let names =
                [&platform.to_string(), vendor, renderer, version].map(|name| one_line(name));
            let facts = [half_targets, single_targets, instancing].map(ToString::to_string);
            names
                .iter()
                .chain(&facts)
                .map(|line| format!("{line}\n"))
                .collect()
        }
        Err(ProbeError::NoLibrary) => format!("{NO_LIBRARY}\n"),
        Err(ProbeError::NoEgl) => format!("{NO_EGL}\n"),
        Err(ProbeError::NoAnswer) => format!("{NO_ANSWER}\n"),
        Err(ProbeError::Refused { platform, reason }) => {
            format!("{REFUSED}\n{platform}\n{}\n", one_line(reason))
        }
    }
}

const NO_LIBRARY: &str = "no library";
const NO_EGL: &str = "no egl";
const NO_ANSWER: &str = "no answer";
const REFUSED: &str = "refused";

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Reads what [`write`] wrote; whoever wrote nothing of the kind gave no answer.
fn read(text: &str) -> Result<Renderer, ProbeError> {
    let lines: Vec<&str> = text.lines().collect();
    match lines[..] {
        [NO_LIBRARY] => Err(ProbeError::NoLibrary),
        [NO_EGL] => Err(ProbeError::NoEgl),
        [REFUSED, platform, reason] => Err(ProbeError::Refused {
            platform: Platform::named(platform).ok_or(ProbeError::NoAnswer)?,
            reason: reason.to_owned(),
        }),
        [
            platform,
            vendor,
            renderer,
            version,
            half,
            single,
            instancing,
        ] => Ok(Renderer {
            platform: Platform::named(platform).ok_or(ProbeError::NoAnswer)?,
            vendor: vendor.to_owned(),
            renderer: renderer.to_owned(),
            version: version.to_owned(),
            half_targets: half == "true",
            single_targets: single == "true",
            instancing: instancing == "true",
        }),
        _ => Err(ProbeError::NoAnswer),
    }
}

/// The same as [`super::probe`], by this program with `arguments`, which makes it print what [`write()`] says.
///
/// # Errors
///
/// When a library is missing, or no driver answers.
pub fn probe_apart(arguments: &[&str]) -> Result<Renderer, ProbeError> {
    let program = std::env::current_exe().map_err(|_| ProbeError::NoAnswer)?;
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|_| ProbeError::NoAnswer)?;
    read(&String::from_utf8_lossy(&output.stdout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_arrive_as_they_were_given() {
        let renderer = Renderer {
            platform: Platform::Surfaceless,
            vendor: "Some\nbody".to_owned(),
            renderer: "llvmpipe (LLVM 15)".to_owned(),
            version: String::new(),
            half_targets: true,
            single_targets: false,
            instancing: true,
        };
        let expected = Renderer {
            vendor: "Some body".to_owned(),
            ..renderer.clone()
        };
        assert_eq!(read(&write(&Ok(renderer))).unwrap(), expected);
        for error in [
            ProbeError::NoLibrary,
            ProbeError::NoEgl,
            ProbeError::NoAnswer,
            ProbeError::Refused {
                platform: Platform::X11,
                reason: "bad display".to_owned(),
            },
        ] {
            let told = error.to_string();
            assert_eq!(read(&write(&Err(error))).unwrap_err().to_string(), told);
        }
    }

    #[test]
    fn a_process_that_crashed_gave_no_answer() {
        for text in ["", "X11\n", "X11\na\nb\n", "refused\nMars\nwhy\n", "\0\0\n"] {
            assert!(matches!(read(text), Err(ProbeError::NoAnswer)), "{text:?}");
        }
        assert!(matches!(
            probe_apart(&["--list", "--nothing"]),
            Err(ProbeError::NoAnswer)
        ));
    }
}
