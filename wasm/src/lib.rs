//! The one door from JavaScript: a session handle in, flat copied pictures out.
//!
//! It knows how values cross. It deliberately knows no rule of the queue: whatever it hands out, the core
//! said. A refusal is a value; only a fault of this program itself is an exception.

mod lab;

use fencepost_core::run::Run;
use fencepost_core::scenario::{SHELF, Scenario};
use js_sys::{Object, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;

pub use lab::{chaos, explore};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
import type { About, Chart, StepView } from "../types";

/** A built-in scenario. */
export type Shelved = { name: string, title: string };

/** What opening a scenario came to: a session, or why not. */
export type Opened = { session: Session, refused?: undefined } | { session?: undefined, refused: string };
"#;

/// Says a fault of this program in the console, with its place.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The built-in scenarios.
#[wasm_bindgen(unchecked_return_type = "Shelved[]")]
pub fn shelf() -> Result<JsValue, JsValue> {
    #[derive(Serialize)]
    struct Shelved {
        name: &'static str,
        title: String,
    }
    let titled = |(name, text): &(&'static str, &str)| {
        let title = Scenario::parse(text)
            .map(|scenario| scenario.title)
            .unwrap_or_default();
        Shelved { name, title }
    };
    out(&SHELF.iter().map(titled).collect::<Vec<_>>())
}

/// A built-in scenario's text.
#[wasm_bindgen]
pub fn shelf_text(name: &str) -> Option<String> {
    SHELF
        .iter()
        .find(|(shelved, _)| *shelved == name)
        .map(|(_, text)| String::from(*text))
}

/// Opens a scenario and runs it, or says why it cannot.
#[wasm_bindgen(unchecked_return_type = "Opened")]
pub fn open(text: &str) -> Result<JsValue, JsValue> {
    let opened = Object::new();
    let (key, value) = match Run::open(text) {
        Ok(run) => ("session", JsValue::from(Session { run })),
        Err(error) => ("refused", JsValue::from(error.to_string())),
    };
    Reflect::set(&opened, &JsValue::from(key), &value)?;
    Ok(opened.into())
}

/// A scenario that was run, to be looked at step by step.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    run: Run,
}

#[wasm_bindgen]
impl Session {
    /// The run as a whole: its table, its log, its digest.
    #[wasm_bindgen(unchecked_return_type = "About")]
    pub fn about(&self) -> Result<JsValue, JsValue> {
        out(&self.run.about())
    }

    /// The whole run, drawn.
    #[wasm_bindgen(unchecked_return_type = "Chart")]
    pub fn chart(&self) -> Result<JsValue, JsValue> {
        out(self.run.chart())
    }

    /// Everything to show after so many rows; more than there are is all of them.
    #[wasm_bindgen(unchecked_return_type = "StepView")]
    pub fn seek(&mut self, step: usize) -> Result<JsValue, JsValue> {
        out(&self.run.seek(step))
    }
}

/// A value as plain JavaScript data; what is absent is null, as the generated types say.
fn out(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let plain = serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true);
    value.serialize(&plain).map_err(JsValue::from)
}
