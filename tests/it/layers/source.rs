//! What a source file says in code: its text less comments, quoted text and tests, and the paths that it names.

/// The code of a file: without comments, without what stands in quotes, without items that only tests have.
pub fn code(text: &str) -> String {
    without_tests(&without_words(text))
}

/// Drops comments and what stands in quotes; keeps the lines.
fn without_words(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(letter) = rest.chars().next() {
        let length = length_of_words(rest);
        let dropped = &rest[..length];
        kept.extend(dropped.chars().filter(|&letter| letter == '\n'));
        if length == 0 {
            kept.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else {
            // What stands on both sides must not become one word.
            kept.push(' ');
            rest = &rest[length..];
        }
    }
    kept
}

/// The bytes of the comment, text or character that `rest` begins with; 0 where it begins with none.
fn length_of_words(rest: &str) -> usize {
    let until = |end: &str, from: usize| {
        let found = rest[from..].find(end);
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    if let Some(raw) = rest.strip_prefix('r') {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        if raw[marks..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(marks)), marks + 2);
        }
    }
    if rest.starts_with('"') {
        return quoted(rest, '"').unwrap_or(rest.len());
    }
    // A lifetime has no second quote where a character has it.
    match rest.strip_prefix('\'').map(|inner| inner.chars()) {
        Some(mut inner) => match (inner.next(), inner.next()) {
            (Some('\\'), _) => quoted(rest, '\'').unwrap_or(0),
            (Some(letter), Some('\'')) => 2 + letter.len_utf8(),
            _ => 0,
        },
        None => 0,
    }
}

/// The bytes up to the mark that closes what `text` opens with one, where there is one.
fn quoted(text: &str, mark: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == mark => return Some(at + mark.len_utf8()),
            _ => (),
        }
    }
    None
}

/// Drops every item behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some((before, item)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let mut depth = 0;
        let end = item.find(|letter| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => (),
            }
            depth == 0 && [';', '}'].contains(&letter)
        });
        rest = end.map_or("", |end| &item[end + 1..]);
    }
    kept + rest
}

/// Names, `::`, and every other sign by itself.
fn tokens(code: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = match first {
            _ if is_of_name(first) => rest.find(|letter| !is_of_name(letter)),
            ':' if rest.starts_with("::") => Some(2),
            _ => Some(first.len_utf8()),
        };
        let (token, after) = rest.split_at(length.unwrap_or(rest.len()));
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// The paths from the root of the crate that a module's code names, whether they begin with `crate`, `self` or `super`, in a
/// `use` or elsewhere; and those of the crate by its name. Braces are resolved, and `*` stays what it is.
pub fn paths(code: &str, module: &[&str]) -> Vec<String> {
    let tokens = tokens(code);
    let mut module: Vec<String> = module.iter().map(|&name| name.to_owned()).collect();
    // How deep the braces of each module within the file are.
    let (mut inner, mut depth) = (Vec::new(), 0);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_path = tokens.get(at + 1) == Some(&"::") && (at == 0 || tokens[at - 1] != "::");
        match tokens[at] {
            "crate" | "self" | "super" | "eddyline" if is_path => {
                at = tree(&tokens, at, &module, &mut found);
                continue;
            }
            "mod" if tokens.get(at + 2) == Some(&"{") => {
                module.push(tokens[at + 1].to_owned());
                inner.push(depth + 1);
            }
            "{" => depth += 1,
            "}" => {
                if inner.last() == Some(&depth) {
                    inner.pop();
                    module.pop();
                }
                depth -= 1;
            }
            _ => (),
        }
        at += 1;
    }
    found
}

/// Follows the path at `at`, which begins in the module `base`, into every pair of braces; returns where it ends.
fn tree(tokens: &[&str], mut at: usize, base: &[String], found: &mut Vec<String>) -> usize {
    let mut path = base.to_vec();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while tokens[at] != "}" {
                    at = tree(tokens, at, &path, found);
                    while ![",", "}"].contains(&tokens[at]) {
                        at += 1;
                    }
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            Some(&"crate" | &"eddyline") => path.clear(),
            Some(&"self") => (),
            Some(&"super") => drop(path.pop().expect("nothing lies above the root")),
            Some(name) => path.push((*name).to_owned()),
            None => (),
        }
        at += 1;
        if tokens.get(at) != Some(&"::") || tokens.get(at + 1) == Some(&"<") {
            found.push(path.join("::"));
            return at;
        }
        at += 1;
    }
}

#[test]
fn code_is_what_is_neither_said_nor_tested() {
    let text = "
use a; // crate::comment
/* crate::comment */ const X: &str = \"crate::text\\\" crate::text\";
const Y: &str = r#\"crate::\"text\"#;
fn f<'a>(x: &'a str) { ['\"', '\\'', 'x'] }
#[cfg(test)]
pub mod tests { use crate::tested; mod inner {} }
use b;
#[cfg(test)]
mod tests;
use c;
";
    let code = code(text);
    let words = ["comment", "text", "tested", "inner", "tests"];
    for word in words {
        assert!(!code.contains(word), "{word}: {code}");
    }
    for part in ["use a;", "fn f<'a>(x: &'a str)", "use b;", "use c;"] {
        assert!(code.contains(part), "{part}: {code}");
    }
}

#[test]
fn paths_begin_at_the_root() {
    let paths = |text: &str| paths(text, &["canvas", "cpu", "stroke"]);
    assert_eq!(paths("use crate::hash::unit;"), ["hash::unit"]);
    assert_eq!(paths("use super::super::gpu;"), ["canvas::gpu"]);
    assert_eq!(
        paths("super::super::super::pool::Pool::single()"),
        ["pool::Pool::single"]
    );
    assert_eq!(
        paths("use self::inner::f;"),
        ["canvas::cpu::stroke::inner::f"]
    );
    assert_eq!(paths("use super::*;"), ["canvas::cpu::*"]);
    assert_eq!(
        paths("use crate::{hash, noise::{self, time::{A, B as C}}, pool::*};"),
        [
            "hash",
            "noise",
            "noise::time::A",
            "noise::time::B",
            "pool::*"
        ]
    );
    assert_eq!(
        paths("mod a { use super::b; mod c { super::d() } } super::e()").len(),
        3
    );
    assert_eq!(
        paths("mod a { use super::b; mod c { super::d() } } super::e()"),
        [
            "canvas::cpu::stroke::b",
            "canvas::cpu::stroke::a::d",
            "canvas::cpu::e"
        ]
    );
    assert_eq!(
        paths("let x = crate::hash::unit::<u8>(self.y, a::b);"),
        ["hash::unit"]
    );
}
