//! What core tells the page at build time: its types, and the digest of every built-in scenario.
//!
//! Knows: which of core's functions to ask, and which file the answer goes to. Does not know: what
//! a type or a digest means. The page compares the digests with its own: native and wasm must agree
//! to the bit.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;

use fencepost_core::run::Run;
use fencepost_core::scenario::SHELF;
use fencepost_core::typescript;

use crate::error::{Error, Result};
use crate::stamp;
use crate::step::written;
use crate::workspace::Workspace;

/// Writes core's types as TypeScript.
pub(crate) fn types(ws: &Workspace) -> Result<String> {
    stamp::write_if_changed(
        &ws.generated().join("types.ts"),
        &typescript::declarations(),
    )
    .map(written)
}

/// Writes the native digest of every built-in scenario.
pub(crate) fn digests(ws: &Workspace) -> Result<String> {
    let mut digests = BTreeMap::new();
    for (name, text) in SHELF {
        digests.insert(*name, digest(name, text)?);
    }
    let text = format!("{:#}\n", serde_json::json!(digests));
    let changed = stamp::write_if_changed(&ws.generated().join("digests.json"), &text)?;
    Ok(format!("{} scenarios, {}", digests.len(), written(changed)))
}

/// Prints the digest of one scenario: a built-in one by name, any other from its file.
pub(crate) fn print_digest(scenario: &OsStr) -> Result<()> {
    let name = scenario.to_string_lossy();
    let built_in = SHELF.iter().find(|(shelf_name, _)| *shelf_name == name);
    let digest = match built_in {
        Some((_, text)) => digest(&name, text)?,
        None => digest(
            &name,
            &fs::read_to_string(scenario).map_err(|cause| unknown(&name, &cause))?,
        )?,
    };
    println!("{digest}");
    Ok(())
}

fn digest(name: &str, text: &str) -> Result<String> {
    let run = Run::open(text).map_err(|refusal| Error::Scenario {
        name: name.to_owned(),
        reason: refusal.to_string(),
    })?;
    Ok(run.digest())
}

fn unknown(name: &str, cause: &std::io::Error) -> Error {
    let names: Vec<_> = SHELF.iter().map(|(name, _)| *name).collect();
    Error::Scenario {
        name: name.to_owned(),
        reason: format!(
            "not built in, and as a file: {cause}; built in are {}",
            names.join(", ")
        ),
    }
}
