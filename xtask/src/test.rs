//! Every test of the workspace, and one line at the end that a machine can read.
//!
//! Knows: the four parts, which runner each needs, and that one part's failure does not spare the
//! others. Does not know: any single test.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::args::Part;
use crate::browser;
use crate::error::{Error, Result};
use crate::node;
use crate::serve::Server;
use crate::shell;
use crate::site;
use crate::stamp;
use crate::step::{line, step};
use crate::tally::Tally;
use crate::toolchain;
use crate::wasm;
use crate::workspace::Workspace;

/// A path of the kind a shared host gives: a page that only works at the root fails there.
const SUB_PATH: &str = "/some/sub/path/";

/// Runs one part, or all; the last line is `N passed, N failed`.
pub(crate) fn test(ws: &Workspace, part: Option<Part>, extra: &[OsString]) -> Result<()> {
    let parts = part.map_or(Part::ALL.to_vec(), |part| vec![part]);
    let mut run = Run {
        ws,
        is_built: false,
    };
    let mut lines = Vec::new();
    let mut total = Tally::default();
    for part in parts {
        println!("\n== {} ==", part.name());
        let start = Instant::now();
        let tally = run.part(part, extra).unwrap_or_else(|error| {
            println!("error: {error}");
            Tally::one(false)
        });
        let seconds = start.elapsed().as_secs_f64();
        lines.push(line(part.name(), &tally.to_string(), seconds));
        total = total + tally;
    }
    println!("\n{}\n\n{total}", lines.join("\n"));
    match total.failed {
        0 => Ok(()),
        _ => Err(Error::AlreadyTold),
    }
}

/// One run of the tests.
struct Run<'a> {
    ws: &'a Workspace,
    /// Two parts need the page: it is built for the first of them.
    is_built: bool,
}

impl Run<'_> {
    fn part(&mut self, part: Part, extra: &[OsString]) -> Result<Tally> {
        match part {
            Part::Native => native(extra),
            Part::Wasm => core_for_wasm(self.ws),
            Part::Web => self.build().and_then(|()| web(self.ws, extra)),
            Part::Browser => self.build().and_then(|()| in_browser(self.ws, extra)),
        }
    }

    fn build(&mut self) -> Result<()> {
        if !self.is_built {
            site::build(self.ws)?;
            self.is_built = true;
        }
        Ok(())
    }
}

/// In two goes, because xtask asks core for a feature that nobody else does: tested together, every
/// crate would be compiled once more.
fn native(extra: &[OsString]) -> Result<Tally> {
    let goes = [
        ["--workspace", "--exclude", "xtask"].as_slice(),
        &["--package", "xtask"],
    ];
    goes.iter()
        .map(|packages| cargo_test(packages, extra))
        .sum()
}

fn cargo_test(packages: &[&str], extra: &[OsString]) -> Result<Tally> {
    let mut command = Command::new("cargo");
    command
        .args(["test", "--no-fail-fast"])
        .args(packages)
        .args(extra);
    let mut tally = Tally::default();
    let status = shell::run_watched(&mut command, |line| {
        tally = tally + Tally::of_harness_line(line).unwrap_or_default();
    })?;
    Ok(tally.confirmed_by(status.success()))
}

/// Core by itself for the page's target: the door's own dependencies bring std, core's must not.
fn core_for_wasm(ws: &Workspace) -> Result<Tally> {
    let toolchain = toolchain::choose(ws)?;
    step("core", || wasm::compile(ws, toolchain, "fencepost-core"))?;
    Ok(Tally::one(true))
}

fn web(ws: &Workspace, extra: &[OsString]) -> Result<Tally> {
    let (folder, report) = (ws.web(), ws.note("vitest.json"));
    let mut tally = Tally::default();
    if has_script(&folder, "test") {
        let mut command = node::npm(&folder);
        command.args(["test", "--", "--reporter=default", "--reporter=json"]);
        command
            .arg(format!("--outputFile.json={}", report.display()))
            .args(extra);
        tally = tally + reported(&mut command, &report, Tally::of_vitest)?;
    }
    if has_script(&folder, "check") {
        let is_clean = shell::says_yes(node::npm(&folder).args(["run", "check"]))?;
        tally = tally + Tally::one(is_clean);
    }
    Ok(tally)
}

fn in_browser(ws: &Workspace, extra: &[OsString]) -> Result<Tally> {
    let (folder, report) = (ws.browser_tests(), ws.note("playwright.json"));
    step("packages", || node::install(&folder))?;
    let mut chromium = None;
    step("browser", || {
        chromium = browser::find(&folder)?;
        Ok(chromium
            .as_ref()
            .map_or("Playwright's own".to_owned(), |path| {
                path.display().to_string()
            }))
    })?;
    let mut command = browser::playwright(&folder);
    command
        .arg("test")
        .args(extra)
        .env("FENCEPOST_REPORT", &report);
    command
        .env("FENCEPOST_AT_ROOT", serve(ws, "/")?)
        .env("FENCEPOST_AT_SUB_PATH", serve(ws, SUB_PATH)?);
    if let Some(chromium) = chromium {
        command.env("CHROMIUM", chromium);
    }
    reported(&mut command, &report, Tally::of_playwright)
}

fn serve(ws: &Workspace, mount: &str) -> Result<String> {
    let server =
        Server::bind(ws.site(), mount, 0).map_err(|cause| Error::Port { port: 0, cause })?;
    let address = server.address().to_owned();
    server.run_in_background();
    Ok(address)
}

/// Runs a runner that leaves a JSON report, and counts by it.
fn reported(
    command: &mut Command,
    report: &Path,
    count: impl Fn(&Value) -> Option<Tally>,
) -> Result<Tally> {
    stamp::remove(report)?;
    let success = shell::says_yes(command)?;
    let content = stamp::read(report).unwrap_or_default();
    let counted = serde_json::from_slice(&content)
        .ok()
        .and_then(|report| count(&report));
    match counted {
        Some(tally) => Ok(tally.confirmed_by(success)),
        None if !success => Ok(Tally::one(false)),
        None => Err(Error::Lacking {
            what: format!("no counts were found in {}", report.display()),
            way_out: "the script `test` of web/package.json must be `vitest run`".to_owned(),
        }),
    }
}

fn has_script(folder: &Path, script: &str) -> bool {
    let has = node::has_script(folder, script);
    if !has {
        println!(
            "skipped: {} has no script `{script}`",
            folder.join("package.json").display()
        );
    }
    has
}
