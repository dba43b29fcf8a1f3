// What the page promises around the run: quiet, alone, the same as the native core, and honest when broken.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { at, complaints, eachPanel, forward, NAME, open, ROWS, status } from "./page.js";

const natively: Record<string, string> = JSON.parse(
  readFileSync(new URL("../../web/src/generated/digests.json", import.meta.url), "utf8"),
);

test("the run in the browser is the native one, to the bit", { tag: "@sub-path" }, async ({ page }) => {
  await open(page);
  const digest = page.locator("[data-digest]").first();
  expect(natively[NAME]).toMatch(/^[0-9a-f]{16}$/);
  await expect(digest).toHaveAttribute("data-digest", natively[NAME] ?? "");
  await expect(digest).toContainText("same as");
});

test("nothing is complained of and nothing is asked for after load", { tag: "@sub-path" }, async ({ page }) => {
  const heard = await complaints(page);
  await open(page);
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));

  for (let row = 1; row <= ROWS; row++) await forward(page, row);
  await eachPanel(page, async () => {});
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  const theme = page.getByRole("button", { name: /theme/i });
  for (let change = 0; change < 3; change++) await theme.click();
  await page.keyboard.press("Home");
  await at(page, 0);

  expect(heard).toEqual([]);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([]);
});

test("the page works with the network off", async ({ page, context }) => {
  await open(page);
  await context.setOffline(true);
  for (let row = 1; row <= ROWS; row++) await forward(page, row);
});

test("a storage that is blocked is no fault", async ({ page }) => {
  const heard = await complaints(page);
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("storage is blocked", "SecurityError");
      },
    });
  });
  await open(page);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "auto");
  await page.getByRole("button", { name: /theme/i }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  expect(heard).toEqual([]);
});

test("a core that cannot be loaded is told in words", async ({ page }) => {
  await page.route("**/*.wasm", (route) =>
    route.fulfill({ status: 200, contentType: "application/wasm", body: "no wasm" }),
  );
  await page.goto("./");
  await expect(page.getByRole("alert")).toContainText("could not be loaded");
});

test("a core that stops is told in words, and the page stays where it was", async ({ page }) => {
  await page.addInitScript(() => {
    const load = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (...given) => {
      const { module, instance } = await load(...given);
      const seek = instance.exports.session_seek as (session: number, step: number) => unknown;
      const stopping = (session: number, step: number) => {
        if (step === 2) throw new WebAssembly.RuntimeError("unreachable");
        return seek(session, step);
      };
      return { module, instance: { exports: { ...instance.exports, session_seek: stopping } } };
    };
  });
  await open(page, 1);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("alert")).toContainText("stopped");
  await at(page, 1);
  await expect(status(page)).toContainText("Leased");
});

test("what is not built yet says so", async ({ page }) => {
  await open(page);
  const views = page.getByRole("navigation");
  await expect(views.getByRole("link", { name: "Walkthrough" })).toHaveAttribute("aria-current", "page");
  await expect(views).toContainText("not built yet");
});
