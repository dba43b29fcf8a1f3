//! The benchmarks: the simulation natively, in wasm and beside stateright; the core's own; and the core
//! beside a copy of itself with its rules hard-wired.
//!
//! Knows: how to make the copy and how to run both in turn. Does not judge: a figure is not a test.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::hard_wired;
use crate::shell;
use crate::site;
use crate::workspace::Workspace;

/// How often the core and its copy are measured in turn.
const PAIRS: usize = 5;
/// What is measured of both: the whole cycle.
const CYCLE: &str = "cycle::Ours";

/// Runs every benchmark: the simulation natively and in wasm, then the core.
pub(crate) fn bench(ws: &Workspace) -> Result<()> {
    site::build(ws)?;
    println!();
    let lab = ["bench", "--package", "xtask", "--bench", "lab"];
    shell::run(Command::new("cargo").args(lab).current_dir(ws.root()))?;
    shell::run(Command::new("node").arg(ws.root().join("xtask/benches/lab.mjs")))?;
    core(ws)
}

fn core(ws: &Workspace) -> Result<()> {
    let of_core = |bench: &str| {
        let mut cargo = Command::new("cargo");
        cargo.args(["bench", "--package", "fencepost-core", "--bench", bench]);
        cargo
    };
    shell::run(of_core("memory").current_dir(ws.root()))?;
    shell::run(of_core("queue").current_dir(ws.root()))?;
    let copy = ws.root().join("target/hard-wired");
    make_copy(ws.root(), &copy)?;
    println!("\nthe cycle with its rules asked, and hard-wired; medians of each pair");
    for _ in 0..PAIRS {
        let asked = medians(&mut of_core("queue"), ws.root())?;
        let wired = medians(&mut of_core("queue"), &copy)?;
        for ((held, asked), (_, wired)) in asked.iter().zip(&wired) {
            println!(
                "{held:>10} held   asked {asked:>9.1} ns   hard-wired {wired:>9.1} ns   ratio {:.3}",
                asked / wired
            );
        }
    }
    Ok(())
}

/// A workspace of the core alone, each call of a rule replaced by the rule.
fn make_copy(root: &Path, copy: &Path) -> Result<()> {
    let manifest = read(&root.join("Cargo.toml"))?;
    let alone = manifest
        .lines()
        .filter(|line| !line.starts_with("default-members"))
        .map(|line| {
            if line.starts_with("members") {
                "members = [\"core\"]".to_owned()
            } else {
                line.to_owned()
            }
        });
    write(
        &copy.join("Cargo.toml"),
        &alone.collect::<Vec<_>>().join("\n"),
    )?;
    write(&copy.join("Cargo.lock"), &read(&root.join("Cargo.lock"))?)?;
    let rules = hard_wired::read_rules(&read(&root.join("core/src/rules.rs"))?);
    copy_folder(&root.join("core"), &copy.join("core"), &|name, text| {
        if name.ends_with(".rs") && name != "rules.rs" {
            hard_wired::write_out(&rules, text)
        } else {
            text.to_owned()
        }
    })
}

fn copy_folder(from: &Path, to: &Path, change: &dyn Fn(&str, &str) -> String) -> Result<()> {
    let entries = fs::read_dir(from).map_err(|cause| file("reading", from, cause))?;
    for entry in entries.flatten() {
        let (path, name) = (
            entry.path(),
            entry.file_name().to_string_lossy().into_owned(),
        );
        if path.is_dir() {
            copy_folder(&path, &to.join(&name), change)?;
        } else {
            write(&to.join(&name), &change(&name, &read(&path)?))?;
        }
    }
    Ok(())
}

/// The median of each size, in nanoseconds.
fn medians(cargo: &mut Command, folder: &Path) -> Result<Vec<(String, f64)>> {
    let output = cargo
        .current_dir(folder)
        .args(["--quiet", "--", CYCLE])
        .output();
    let output = output.map_err(|cause| file("starting cargo in", folder, cause))?;
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    let found: Vec<_> = table.lines().filter_map(median).collect();
    if found.is_empty() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(Error::AlreadyTold);
    }
    Ok(found)
}

/// A line of the table: `├─ 1000  fastest │ slowest │ median │ …`.
fn median(line: &str) -> Option<(String, f64)> {
    let mut cells = line
        .split('│')
        .map(str::trim)
        .filter(|cell| !cell.is_empty());
    let first = cells.next()?;
    let held = first
        .trim_start_matches(['├', '╰', '─', ' '])
        .split_whitespace()
        .next()?;
    held.parse::<u64>().ok()?;
    let mut words = cells.nth(1)?.split_whitespace();
    let (number, unit) = (words.next()?.parse::<f64>().ok()?, words.next()?);
    let nanos = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        _ => return None,
    };
    Some((held.to_owned(), number * nanos))
}

fn file(doing: &'static str, path: &Path, cause: io::Error) -> Error {
    Error::File {
        doing,
        path: path.to_owned(),
        cause,
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|cause| file("reading", path, cause))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|cause| file("making", folder, cause))?;
    }
    fs::write(path, text).map_err(|cause| file("writing", path, cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_read_in_nanoseconds() {
        let line = "   │  ╰─ 1000000  1.154 µs      │ 9.502 µs      │ 1.246 µs      │ 1.394 µs      │ 100     │ 100000";
        assert_eq!(median(line), Some(("1000000".to_owned(), 1246.0)));
        assert_eq!(
            median("├─ cycle                        │               │               │"),
            None
        );
    }
}
