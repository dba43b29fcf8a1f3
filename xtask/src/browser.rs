//! A browser for the browser tests: found, or installed.
//!
//! Knows: the order of the ways (environment, PATH, Debian, Playwright). Does not know: the tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};
use crate::shell;

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser to start, or `None` for the one that Playwright keeps for itself.
pub(crate) type Browser = Option<PathBuf>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Move {
    Use(PathBuf),
    InstallDebian,
    InstallPlaywrights,
}

fn next_move(named: Option<PathBuf>, on_path: Option<PathBuf>, can_install_debian: bool) -> Move {
    match named.or(on_path) {
        Some(browser) => Move::Use(browser),
        None if can_install_debian => Move::InstallDebian,
        None => Move::InstallPlaywrights,
    }
}

/// Finds a browser, or gets one. `tests` is the folder where Playwright is installed.
pub(crate) fn find(tests: &Path) -> Result<Browser> {
    let named = || {
        env::var_os("CHROMIUM")
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let on_path = || shell::find_on_path(&NAMES);
    let mut can_install_debian = shell::is_root_with_apt();
    loop {
        match next_move(named(), on_path(), can_install_debian) {
            Move::Use(browser) => return Ok(Some(browser)),
            Move::InstallDebian => {
                can_install_debian = false;
                println!("  Debian's chromium is installed, which takes about half a minute");
                if let Err(error) = shell::apt_install(&["chromium"]) {
                    eprintln!("  {error}");
                }
            }
            Move::InstallPlaywrights => return install_playwrights(tests).map(|()| None),
        }
    }
}

/// Playwright's command line, to be run in the browser tests' folder.
pub(crate) fn playwright(tests: &Path) -> Command {
    let mut command = Command::new("node");
    command
        .current_dir(tests)
        .arg("node_modules/@playwright/test/cli.js");
    command
}

fn install_playwrights(tests: &Path) -> Result<()> {
    shell::run(playwright(tests).args(["install", "chromium"])).map_err(|_| Error::Lacking {
        what: "the browser tests need Chromium, and none was found or installed".to_owned(),
        way_out: "put chromium or google-chrome on PATH, or set CHROMIUM to the program".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_are_tried_in_order() {
        let (mine, theirs) = (
            || Some(PathBuf::from("/mine")),
            || Some(PathBuf::from("/usr/bin/chromium")),
        );
        let table = [
            (mine(), theirs(), true, Move::Use("/mine".into())),
            (None, theirs(), true, Move::Use("/usr/bin/chromium".into())),
            (None, None, true, Move::InstallDebian),
            (None, None, false, Move::InstallPlaywrights),
        ];
        for (named, on_path, can_install_debian, expected) in table {
            let told = format!("{named:?}, {on_path:?}, {can_install_debian}");
            assert_eq!(
                next_move(named, on_path, can_install_debian),
                expected,
                "{told}"
            );
        }
    }
}
