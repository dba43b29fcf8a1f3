//! One line for each step of an errand, with the time it took.
//!
//! Knows: how a finished step is told. Does not know: what the steps are.

use std::time::Instant;

use crate::error::Result;

/// Does one step and says what came of it: `work` answers with the few words to print.
pub(crate) fn step(name: &str, work: impl FnOnce() -> Result<String>) -> Result<()> {
    let start = Instant::now();
    let outcome = work()?;
    println!("{}", line(name, &outcome, start.elapsed().as_secs_f64()));
    Ok(())
}

/// A step's line: name, outcome, seconds, in columns.
pub(crate) fn line(name: &str, outcome: &str, seconds: f64) -> String {
    format!("{name:<10} {outcome:<58} {seconds:>7.2} s")
}

/// The usual words for a file that is written only when its content changed.
pub(crate) fn written(changed: bool) -> String {
    if changed { "written" } else { "unchanged" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_line_up() {
        assert_eq!(
            line("types", "unchanged", 0.0).len(),
            line("digests", "3 written", 123.456).len()
        );
    }
}
