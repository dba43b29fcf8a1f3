//! The page as a static folder, step by step.
//!
//! Knows: the steps, their order, and when the last one can be skipped. Does not know: how the page
//! is made (web's own `npm run build`), nor where it will be served.

use crate::error::{Error, Result};
use crate::generated;
use crate::node;
use crate::shell;
use crate::stamp;
use crate::step::step;
use crate::toolchain;
use crate::wasm;
use crate::workspace::Workspace;

/// Entries of `web/` that are results, not sources.
const NOT_SOURCES: [&str; 3] = ["node_modules", "dist", "test-results"];

/// Builds everything the page is made of, then the page.
pub(crate) fn build(ws: &Workspace) -> Result<()> {
    node::demand()?;
    step("types", || generated::types(ws))?;
    step("digests", || generated::digests(ws))?;
    let toolchain = toolchain::choose(ws)?;
    step("wasm", || wasm::compile(ws, toolchain, wasm::DOOR))?;
    step("bindings", || wasm::bind(ws, toolchain))?;
    step("packages", || node::install(&ws.web()))?;
    step("page", || page(ws))
}

fn page(ws: &Workspace) -> Result<String> {
    let (site, stamp) = (ws.site(), ws.note("page"));
    let index = site.join("index.html");
    let fingerprint = stamp::of_folder(&ws.web(), &NOT_SOURCES)?;
    if stamp::is_current(&stamp, &fingerprint) && index.exists() {
        return Ok("target/site is unchanged".to_owned());
    }
    stamp::remove(&stamp)?;
    stamp::remove(&site)?;
    shell::run_quietly(node::npm(&ws.web()).args(["run", "build"]))?;
    if !index.exists() {
        return Err(Error::Lacking {
            what: "the page's build must write target/site/index.html, and it did not".to_owned(),
            way_out: "set `build.outDir` to \"../target/site\" in web's vite configuration"
                .to_owned(),
        });
    }
    stamp::write_if_changed(&stamp, &fingerprint)?;
    Ok("written to target/site".to_owned())
}
