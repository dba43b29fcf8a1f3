//! The page, served on this machine.
//!
//! Knows: which port to take, and how a browser is opened. Does not know: how the page is built or
//! a file is sent.

use std::io;
use std::process::{Command, Stdio};

use crate::error::{Error, Result};
use crate::serve::Server;
use crate::site;
use crate::workspace::Workspace;

/// The port when none is asked for; the next free one if it is taken.
const PORT: u16 = 4173;
const PORTS_TRIED_MAX: u16 = 100;

/// Builds, serves until Ctrl-C. No other process is left then: the server is this one.
pub(crate) fn play(ws: &Workspace, port: Option<u16>, open: bool) -> Result<()> {
    site::build(ws)?;
    let server = take_port(ws, port)?;
    println!("\nFencepost is at {}  (Ctrl-C ends it)", server.address());
    if open {
        open_browser(server.address());
    }
    server.run()
}

fn take_port(ws: &Workspace, asked: Option<u16>) -> Result<Server> {
    let bind = |port| Server::bind(ws.site(), "/", port);
    let Some(port) = asked else {
        let mut ports = PORT..PORT + PORTS_TRIED_MAX;
        let free = ports.find_map(|port| match bind(port) {
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => None,
            answer => Some(answer.map_err(|cause| Error::Port { port, cause })),
        });
        return free.unwrap_or_else(|| bind(0).map_err(|cause| Error::Port { port: PORT, cause }));
    };
    bind(port).map_err(|cause| Error::Port { port, cause })
}

/// A browser that does not open is no reason to stop: the address is printed.
fn open_browser(address: &str) {
    let (program, words): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command
        .args(words)
        .arg(address)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Err(cause) = command.spawn() {
        eprintln!("`{program}` could not be started ({cause}): open {address} yourself");
    }
}
