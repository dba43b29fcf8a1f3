//! Other programs: starting them, showing or keeping what they say.
//!
//! Knows: how a command line is told to a person. Does not know: any particular program.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

use crate::error::{Error, Result};

/// Runs a program in the open: its command line first, then its own output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    announce(command);
    let status = command
        .status()
        .map_err(|cause| not_started(command, cause))?;
    demand_success(command, status)
}

/// Runs a program in the open whose "no" is an answer, not an end.
pub(crate) fn says_yes(command: &mut Command) -> Result<bool> {
    match run(command) {
        Ok(()) => Ok(true),
        Err(Error::CommandFailed { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Runs a program whose output matters only when it fails.
pub(crate) fn run_quietly(command: &mut Command) -> Result<()> {
    announce(command);
    let output = command
        .output()
        .map_err(|cause| not_started(command, cause))?;
    if !output.status.success() {
        eprint!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    demand_success(command, output.status)
}

/// Runs a program in the open, and shows each line of its standard output to `see` as well.
pub(crate) fn run_watched(command: &mut Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    announce(command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|cause| not_started(command, cause))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout)
            .split(b'\n')
            .map_while(std::result::Result::ok)
        {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            see(&line);
        }
    }
    child.wait().map_err(|cause| not_started(command, cause))
}

/// What a program answers on standard output, or nothing if it is missing or fails.
pub(crate) fn ask(command: &mut Command) -> Option<String> {
    let output = command
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first of these programs that stands on PATH.
pub(crate) fn find_on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

/// Whether Debian's packages can be installed without asking anyone.
pub(crate) fn is_root_with_apt() -> bool {
    find_on_path(&["apt-get"]).is_some()
        && ask(Command::new("id").arg("-u")).as_deref() == Some("0")
}

/// Installs Debian's packages; only where [`is_root_with_apt`].
pub(crate) fn apt_install(packages: &[&str]) -> Result<()> {
    run_quietly(Command::new("apt-get").args(["update", "-qq"]))?;
    run_quietly(
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-qq", "--no-install-recommends"])
            .args(packages),
    )
}

/// The command line as a person would type it, without the environment.
pub(crate) fn told(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ");
    match command.get_current_dir().and_then(|dir| dir.file_name()) {
        Some(dir) => format!("{line}  (in {})", dir.to_string_lossy()),
        None => line,
    }
}

fn announce(command: &Command) {
    println!("  $ {}", told(command));
}

fn demand_success(command: &Command, status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    Err(Error::CommandFailed {
        command: told(command),
        status: status.to_string(),
    })
}

fn not_started(command: &Command, cause: std::io::Error) -> Error {
    Error::NotStarted {
        command: told(command),
        cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_as_it_would_be_typed() {
        let mut command = Command::new("npm");
        command.args(["run", "build"]);
        assert_eq!(told(&command), "npm run build");
        assert_eq!(
            told(command.current_dir("/somewhere/web")),
            "npm run build  (in web)"
        );
    }

    #[test]
    fn what_is_missing_answers_nothing() {
        assert_eq!(ask(&mut Command::new("no-such-program-of-fencepost")), None);
        assert_eq!(find_on_path(&["no-such-program-of-fencepost"]), None);
    }
}
