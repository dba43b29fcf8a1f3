//! Formatting and lints of everything, each to its end.
//!
//! Knows: which tool looks at which room. Does not know: any rule of those tools.

use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::node;
use crate::shell;
use crate::step::step;
use crate::workspace::Workspace;

/// Runs every check, also after one that failed, so that one run tells everything.
pub(crate) fn check(ws: &Workspace) -> Result<()> {
    let outcomes = [
        step("format", || cargo(&["fmt", "--all", "--check"])),
        step("clippy", || {
            cargo(&[
                "clippy",
                "--quiet",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ])
        }),
        step("web", || script(&ws.web(), "lint")),
        step("browser", || script(&ws.browser_tests(), "check")),
    ];
    let mut failures = outcomes
        .into_iter()
        .filter_map(std::result::Result::err)
        .peekable();
    if failures.peek().is_none() {
        return Ok(());
    }
    failures.for_each(|failure| eprintln!("error: {failure}"));
    Err(Error::AlreadyTold)
}

fn cargo(words: &[&str]) -> Result<String> {
    shell::run(Command::new("cargo").args(words))?;
    Ok("clean".to_owned())
}

fn script(folder: &Path, name: &str) -> Result<String> {
    if !node::has_script(folder, name) {
        return Ok(format!("skipped: its package.json has no script `{name}`"));
    }
    node::demand()?;
    node::install(folder)?;
    shell::run(node::npm(folder).args(["--silent", "run", name]))?;
    Ok("clean".to_owned())
}
