//! What every export does with text that somebody else chose.
//!
//! It knows which characters can be seen and how the others are written. It deliberately knows
//! no more of a language than how its strings and comments end.

use crate::time::Secs;
use alloc::format;
use alloc::string::{String, ToString};
use core::time::Duration;

/// Text on one line: what cannot be seen, and a backslash, is written with a backslash.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => line.push_str("\\\\"),
            c if is_shown(c) => line.push(c),
            c => line.push_str(&escaped(c)),
        }
    }
    line
}

/// Text on one line of a JavaScript comment that may stand in a page: it cannot end the script.
pub(super) fn js_comment(text: &str) -> String {
    one_line(text).replace("</", "<\\/").replace("<!", "<\\!")
}

/// Text as a string of Rust's. JavaScript reads it the same way.
pub(super) fn quoted(text: &str) -> String {
    let line = one_line(text).replace('"', "\\\"");
    format!("\"{line}\"")
}

/// Text as a JavaScript string, which may stand in a page too.
pub(super) fn js_string(text: &str) -> String {
    quoted(text).replace('<', "\\x3C")
}

/// A number with its digits in groups of three: `30_000`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

/// A length in seconds.
pub(super) fn secs(length: Duration) -> String {
    Secs(length).to_string()
}

/// As Rust and JavaScript both read it.
fn escaped(c: char) -> String {
    match c {
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        c => c.escape_unicode().to_string(),
    }
}

/// Whether a reader can see it: no control, no line separator, nothing that turns the writing's direction.
/// After a letter, because an accent that stands alone is escaped and one that stands on a letter is not.
fn is_shown(c: char) -> bool {
    match c {
        ' '..='~' => true,
        c if c.is_ascii() => false,
        c => format!("a{c}").escape_debug().count() == 2,
    }
}
