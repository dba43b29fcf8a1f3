//! Where things stand in this workspace.
//!
//! Knows: the folders. Does not know: what is in them.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The folders, all below one root.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace this xtask belongs to, even when it has moved since it was compiled. From now
    /// on its root is the working folder: a command line is told as a person would type it there.
    pub(crate) fn enter() -> Result<Workspace> {
        let manifest_dir =
            env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let mut root = PathBuf::from(manifest_dir);
        root.pop();
        env::set_current_dir(&root).map_err(|cause| Error::File {
            doing: "entering",
            path: root.clone(),
            cause,
        })?;
        Ok(Workspace { root })
    }

    /// The folder that holds all others.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The page's sources.
    pub(crate) fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    /// What xtask writes for the page: never committed, never edited.
    pub(crate) fn generated(&self) -> PathBuf {
        self.web().join("src/generated")
    }

    /// The browser tests.
    pub(crate) fn browser_tests(&self) -> PathBuf {
        self.root.join("tests/browser")
    }

    /// The finished page, which any web host can serve.
    pub(crate) fn site(&self) -> PathBuf {
        self.root.join("target/site")
    }

    /// A file of xtask's own: stamps and reports.
    pub(crate) fn note(&self, name: &str) -> PathBuf {
        self.root.join("target/xtask").join(name)
    }
}
