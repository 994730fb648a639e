use super::*;

fn parse(line: &str) -> Result<Command, Stop> {
    super::parse(
        std::iter::once("eddyline")
            .chain(line.split_whitespace())
            .map(OsString::from),
    )
}

fn usage(line: &str) -> String {
    match parse(line) {
        Err(Stop::Usage(message)) => message,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_parser_is_consistent() {
    command().debug_assert();
}

#[test]
fn every_setting_has_a_flag_in_every_command() {
    for command in [
        "",
        "render a.png",
        "field a.csv",
        "noise a.png",
        "measure",
        "settings",
        "doctor",
    ] {
        let parsed = parse(&format!(
            "{command} --noise-scale 0.003 --time_scale -0.001 --headings raw"
        ))
        .unwrap();
        let settings = match parsed {
            Command::Live(options) => options.settings,
            Command::Render(options) => options.show.first().start().0,
            Command::Field(options) => options.settings,
            Command::Noise(options) => options.settings,
            Command::Measure(options) => options.settings,
            Command::Settings(settings) => settings,
            Command::Doctor(options) => options.settings,
            other => panic!("{other:?} takes no settings"),
        };
        assert_eq!(
            (settings.noise_scale(), settings.time_scale()),
            (0.003, -0.001)
        );
    }
    for row in crate::settings::SETTINGS {
        let value = row.value(&Settings::default());
        assert!(
            parse(&format!("settings --{} {value}", flags::flag(row.name))).is_ok(),
            "{}",
            row.name
        );
    }
}

#[test]
fn mistakes_are_one_line_with_what_is_allowed() {
    assert_eq!(
        usage("--fade 7"),
        "--fade 7: allowed is 0.002 to 0.9 per step"
    );
    assert_eq!(
        usage("--speed nan"),
        "--speed nan: allowed is 0 to 20 px/step"
    );
    assert_eq!(
        usage("--headings up"),
        "--headings up: allowed is even or raw"
    );
    assert!(
        usage("--preset nothing").contains("no such preset or file; there are water, original")
    );
    assert!(usage("render a.jpg").contains(".png"));
    assert!(usage("render").contains("<OUT>"));
    assert!(usage("--fads 3").contains("--fade"));
    assert!(usage("swim").contains("swim"));
    assert!(usage("render a%d%d.png").contains("one number like %05d"));
    assert!(usage("render a.png --seconds 3").contains("frames/%05d.png"));
    for line in [
        "--size 0x10",
        "--size 10",
        "--size 16385x1",
        "render a.mp4 --size 16384x16384",
        "--size 16384x8192",
        "render a.png --scale 0",
        "render a.png --scale nan",
        "render a.png --at soon",
        "render a.png --at -1s",
        "render a.png --at 2000years",
        "render a.png --threads -1",
        "render a.mp4 --seconds 3 --frames 0..9",
        "render a.mp4 --loop 3s --frames 0..9",
        "render a.mp4 --frames 9..9",
        "render a.mp4 --take a.take --from b.mp4",
        "render a.mp4 --repeat 2",
        "render a.png --seconds 3",
        "render a.png --paper a9",
        "render a.png --crf 20",
        "render a.mp4 --depth 16",
        "render a.gif --depth 10",
        "render a.mp4 --supersample 9",
        "render a.mp4 --motion-blur 0",
        "render a.mp4 --shutter 361",
        "render a.svg --pens 0",
        "join -o a.mp4",
        "join a.mp4",
        "field a.csv --spacing 0",
        "--threads 5000",
        "--kernel mmx",
        "render a.png --kernel",
        "measure --canvas paper",
        "measure --canvas gpu --canvas-path quarter",
        "--canvas-path half,single",
        "render a.png --canvas-path half",
        "measure --seconds never",
        "measure --size 0x3",
        "--fade",
    ] {
        let message = usage(line);
        assert!(
            !message.contains('\n') && message.len() > 20,
            "{line}: {message}"
        );
    }
}

#[test]
fn kernels_are_those_of_the_cpu() {
    for level in simd::available() {
        for command in ["", "render a.png", "measure"] {
            let parsed = parse(&format!("{command} --kernel {}", level.name())).unwrap();
            let found = match parsed {
                Command::Live(options) => options.level,
                Command::Render(options) => options.level,
                Command::Measure(options) => options.level,
                other => panic!("{other:?}"),
            };
            assert_eq!(found, level);
        }
    }
}

#[test]
fn times_read_like_times() {
    let at = |text: &str| match parse(&format!("render a.png --at {text}")) {
        Ok(Command::Render(options)) => options.clock.start() as f64 / 1e9,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(
        ["10s", "1m30s", "250ms", "2.5", "0"].map(at),
        [10.0, 90.0, 0.25, 2.5, 0.0]
    );
}

#[test]
fn a_drawn_seed_is_a_seed() {
    let seeds: Vec<u32> = (0..4)
        .map(|_| match parse("settings --seed random") {
            Ok(Command::Settings(settings)) => settings.seed(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(seeds.windows(2).any(|pair| pair[0] != pair[1]), "{seeds:?}");
}

#[test]
fn help_and_version_are_answers() {
    for line in ["--help", "render --help", "--version"] {
        assert!(
            matches!(parse(line), Err(Stop::Answer(text)) if text.contains("eddyline")),
            "{line}"
        );
    }
}

#[test]
fn a_screensaver_is_a_window_with_all_its_flags() {
    let options = |line: &str| match parse(line) {
        Ok(Command::Live(options)) => options,
        other => panic!("{line}: {other:?}"),
    };
    let plain = options("");
    assert!(!plain.screensaver && !plain.fullscreen);
    assert_eq!(
        plain.power_supply,
        std::path::Path::new("/sys/class/power_supply")
    );
    assert!(options("--screensaver").screensaver && !options("--fullscreen").screensaver);
    let saver = options("--screensaver --fullscreen --preset original --fps 24 --power-supply /a");
    assert!(saver.screensaver && saver.fullscreen);
    assert_eq!(saver.power_supply, std::path::Path::new("/a"));
}
