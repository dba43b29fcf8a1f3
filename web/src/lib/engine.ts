// The one file that touches the WebAssembly. It knows how to load the core and open a scenario.
// It deliberately knows no rule of the queue: what it hands on, the core said.

import digests from "../generated/digests.json";
import type { About, Chart, StepView } from "../generated/types";
import init, { open, type Session, shelf_text } from "../generated/wasm/fencepost_wasm.js";
import wasmUrl from "../generated/wasm/fencepost_wasm_bg.wasm?url";

/** A scenario that was run, and what the native build says of the same one. */
export type Opened = {
  name: string;
  about: About;
  chart: Chart;
  /** The digest that `cargo xtask build` computed natively, if it knows this scenario. */
  nativeDigest: string | undefined;
  seek(step: number): StepView;
};

/** Loads the core and runs a built-in scenario, or says in a sentence why not. */
export async function openShelved(name: string): Promise<Opened | string> {
  try {
    await init({ module_or_path: wasmUrl });
  } catch (error) {
    return `The queue could not be loaded: ${reason(error)}. A current browser with WebAssembly is needed; reload to try again.`;
  }
  const text = shelf_text(name);
  if (text === undefined) return `There is no scenario called "${name.slice(0, 60)}" here.`;
  const { session, refused } = open(text);
  return session ? opened(name, session) : refused;
}

function opened(name: string, session: Session): Opened {
  const native: Record<string, string | undefined> = digests;
  return {
    name,
    about: session.about(),
    chart: session.chart(),
    nativeDigest: native[name],
    seek: (step) => session.seek(step),
  };
}

/** What an error says of itself. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
