//! A reader of XML 1.0 that refuses whatever is not well-formed, as far as our files go: no comments, CDATA or DTD.

use std::collections::BTreeMap;

/// An element and all in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub children: Vec<Element>,
    /// All text directly in it.
    pub text: String,
}

/// The root element of a file.
pub fn parse(file: &str) -> Result<Element, String> {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let mut rest = file.strip_prefix(head).ok_or("no declaration")?;
    let root = element(&mut rest)?;
    match rest.trim() {
        "" => Ok(root),
        more => Err(format!("after the root: {more}")),
    }
}

fn element(rest: &mut &str) -> Result<Element, String> {
    expect(rest, "<")?;
    let mut element = Element {
        name: name(rest)?,
        ..Element::default()
    };
    while let Some(after) = rest.strip_prefix(' ') {
        *rest = after;
        let attribute = name(rest)?;
        expect(rest, "=\"")?;
        let value = text(until(rest, '"')?)?;
        expect(rest, "\"")?;
        if element
            .attributes
            .insert(attribute.clone(), value)
            .is_some()
        {
            return Err(format!("{attribute} twice"));
        }
    }
    if let Some(after) = rest.strip_prefix("/>") {
        *rest = after;
        return Ok(element);
    }
    expect(rest, ">")?;
    loop {
        element.text += &text(until(rest, '<')?)?;
        if let Some(after) = rest.strip_prefix("</") {
            *rest = after;
            expect(rest, &element.name)?;
            expect(rest, ">")?;
            return Ok(element);
        }
        element.children.push(self::element(rest)?);
    }
}

fn expect(rest: &mut &str, what: &str) -> Result<(), String> {
    let start: String = rest.chars().take(40).collect();
    *rest = rest
        .strip_prefix(what)
        .ok_or(format!("no {what} at {start}"))?;
    Ok(())
}

fn name(rest: &mut &str) -> Result<String, String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || ":-_".contains(letter);
    let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(length);
    *rest = after;
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => Ok(name.to_owned()),
        _ => Err(format!("no name: {name}")),
    }
}

fn until<'a>(rest: &mut &'a str, end: char) -> Result<&'a str, String> {
    let (text, after) = rest.split_at(rest.find(end).ok_or(format!("no {end}"))?);
    *rest = after;
    Ok(text)
}

/// Text without what must be escaped, and with what is escaped put in.
fn text(raw: &str) -> Result<String, String> {
    let is_illegal = |letter: char| {
        (letter < ' ' && !"\t\n".contains(letter)) || "\u{fffe}\u{ffff}".contains(letter)
    };
    if raw.contains('<') || raw.contains("]]>") || raw.contains(is_illegal) {
        return Err(format!("not escaped: {raw:?}"));
    }
    let mut parts = raw.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, more) = part.split_once(';').ok_or("a reference without an end")?;
        text.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#13" => '\r',
            other => return Err(format!("&{other};")),
        });
        text += more;
    }
    Ok(text)
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    assert!(parse(&format!("{head}<a b=\"1\"><c/>&amp;</a>\n")).is_ok());
    let broken = [
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a b=1/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a>&</a>",
        "<a>&x;</a>",
        "<a b=\"<\"/>",
        "<a>\u{1}</a>",
        "<1/>",
        "text",
        "<a/>text",
        "<a>]]></a>",
    ];
    for file in broken {
        assert!(parse(&format!("{head}{file}")).is_err(), "{file}");
    }
    assert!(parse("<a/>").is_err());
}
