// `cargo xtask bench`, its part in wasm: the same chaos and the same exploring as lab.rs, under Node.
//
// It knows how long each took. It deliberately judges nothing: a figure is not a test.

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { chaos, explore, initSync } from "../../web/src/generated/wasm/fencepost_wasm.js";

const SEEDS = 20_000;
const GOES = 5;

const module = new URL("../../web/src/generated/wasm/fencepost_wasm_bg.wasm", import.meta.url);
initSync({ module: readFileSync(module) });

/** The two rates of the fastest go. */
function best(go) {
  let fastest = [0, 0];
  for (let goes = 0; goes < GOES; goes += 1) {
    const begun = performance.now();
    const counts = go();
    const seconds = (performance.now() - begun) / 1_000;
    const rates = counts.map((count) => count / seconds);
    fastest = rates[0] > fastest[0] ? rates : fastest;
  }
  return fastest.map((rate) => rate.toFixed(0).padStart(12));
}

const [seeds, calls] = best(() => {
  const counts = chaos(0, SEEDS);
  return [counts.seeds, counts.calls];
});
console.log(`wasm        chaos       ${seeds} seeds/s   ${calls} checked calls/s`);
for (const attempts of [2, 3]) {
  const [states, transitions] = best(() => {
    const counts = explore(2, 2, attempts);
    return [counts.states, counts.transitions];
  });
  console.log(`wasm        explore M=${attempts} ${states} states/s  ${transitions} checked transitions/s`);
}
