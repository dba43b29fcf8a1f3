//! Node and npm: whether they are there, what they installed, which scripts a package has.
//!
//! Knows: the oldest Node that Vite takes, and when `npm ci` is due. Does not know: what the
//! scripts do.

use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::shell;
use crate::stamp;

/// The oldest Node that Vite 8 runs on.
const OLDEST: (u32, u32) = (20, 19);

/// A fault of this machine is told before minutes are spent on compiling.
pub(crate) fn demand() -> Result<()> {
    let answer = shell::ask(Command::new("node").arg("--version"));
    match answer.as_deref().map(|text| (text, version(text))) {
        Some((_, Some(found))) if found >= OLDEST => Ok(()),
        Some((text, _)) => Err(lacking(&format!(
            "Node {text} is too old for building the page"
        ))),
        None => Err(lacking(
            "building the page needs Node, and there is no `node` on PATH",
        )),
    }
}

fn lacking(what: &str) -> Error {
    let (major, minor) = OLDEST;
    Error::Lacking {
        what: what.to_owned(),
        way_out: format!(
            "install Node {major}.{minor} or newer, with npm, from https://nodejs.org"
        ),
    }
}

fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Installs what the lock file names, unless just that is installed already.
pub(crate) fn install(folder: &Path) -> Result<String> {
    let lock = folder.join("package-lock.json");
    if !lock.exists() {
        return Err(Error::Lacking {
            what: format!(
                "{} is not there, so nothing says which packages to install",
                lock.display()
            ),
            way_out: "write a package.json and run `npm install` beside it once".to_owned(),
        });
    }
    // Inside node_modules, so that deleting that folder forgets the stamp too.
    let stamp = folder.join("node_modules/.fencepost-installed");
    let fingerprint = stamp::of_file(&lock)?;
    if stamp::is_current(&stamp, &fingerprint) {
        return Ok("unchanged".to_owned());
    }
    shell::run_quietly(npm(folder).args(["ci", "--no-audit", "--no-fund"]))?;
    stamp::write_if_changed(&stamp, &fingerprint)?;
    Ok("installed".to_owned())
}

/// npm, to be run in a package's folder.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Whether a package has a script of this name; one without a package.json has none.
pub(crate) fn has_script(folder: &Path, script: &str) -> bool {
    let package = std::fs::read(folder.join("package.json")).unwrap_or_default();
    let package: serde_json::Value = serde_json::from_slice(&package).unwrap_or_default();
    package["scripts"][script].is_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let table = [
            ("v20.20.2", Some((20, 20)), true),
            ("v20.9.0", Some((20, 9)), false),
            ("v18.20.4", Some((18, 20)), false),
            ("v22.12.0\n", Some((22, 12)), true),
            ("what", None, false),
        ];
        for (text, expected, new_enough) in table {
            assert_eq!(version(text), expected, "{text}");
            assert_eq!(
                version(text).is_some_and(|found| found >= OLDEST),
                new_enough,
                "{text}"
            );
        }
    }

    #[test]
    fn a_folder_without_a_package_has_no_scripts() {
        assert!(!has_script(Path::new("/no/such/folder"), "test"));
    }
}
