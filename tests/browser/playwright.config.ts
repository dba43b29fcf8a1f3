// How the browser tests find their browser and the page.
//
// Knows: what `cargo xtask test browser` says in the environment. Does not know: how the page is
// built or served. Started by hand (`npx playwright test`), the tests look at `cargo xtask play`.

import { defineConfig, devices, type ReporterDescription } from "@playwright/test";

const { CHROMIUM, CI, FENCEPOST_AT_ROOT, FENCEPOST_AT_SUB_PATH, FENCEPOST_REPORT } = process.env;

const atRoot = FENCEPOST_AT_ROOT ?? "http://127.0.0.1:4173/";
const report: ReporterDescription[] = FENCEPOST_REPORT
  ? [["json", { outputFile: FENCEPOST_REPORT }]]
  : [];

export default defineConfig({
  testDir: ".",
  outputDir: "../../target/browser-tests",
  // A test that passes at the second try is a failing test.
  retries: 0,
  forbidOnly: Boolean(CI),
  fullyParallel: true,
  workers: 2,
  reporter: [["list"], ...report],
  use: {
    ...devices["Desktop Chrome"],
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: CHROMIUM || undefined,
      // No sandbox, because a container's root has none; nothing but our own page is opened. The
      // others keep the browser from looking for the world on a machine without one.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // A test opens the page with `page.goto("./")`, relative to its project's address. Those with the
  // tag @sub-path run a second time where the page is not at the root of its host, and where the
  // host has nothing else: an address that begins with a slash leads nowhere there.
  projects: [
    { name: "root", use: { baseURL: atRoot } },
    ...(FENCEPOST_AT_SUB_PATH
      ? [{ name: "sub-path", grep: /@sub-path/, use: { baseURL: FENCEPOST_AT_SUB_PATH } }]
      : []),
  ],
});
