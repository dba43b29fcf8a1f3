//! The locks that threads meet at. A model checker's test compiles the rest against its own.

pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
