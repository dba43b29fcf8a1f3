// How the page looks: nothing overlaps, overflows or is cut, axe finds nothing, at three sizes in two themes.

import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { complaints, eachPanel, open, ROWS, SIZES, THEMES } from "./page.js";

const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

for (const size of SIZES) {
  for (const theme of THEMES) {
    test(`axe finds nothing at ${size.width}x${size.height}, ${theme}`, async ({ browser, baseURL }) => {
      // axe itself is a stranger to the page's policy.
      const context = await browser.newContext({ baseURL, viewport: size, colorScheme: theme, bypassCSP: true });
      const page = await context.newPage();
      await page.emulateMedia({ reducedMotion: "reduce" });
      for (const row of [0, 4, 8, ROWS]) {
        await open(page, row);
        await eachPanel(page, async (panel) => {
          await page.evaluate(axe);
          const found = await page.evaluate(async () => {
            const { violations } = await (globalThis as unknown as { axe: AxeRun }).axe.run();
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
          });
          expect(found, `row ${row}, ${panel}`).toEqual([]);
        });
      }
      await context.close();
    });
  }

  test(`nothing overlaps, overflows or is cut at ${size.width}x${size.height}`, async ({ page }) => {
    const heard = await complaints(page);
    await page.setViewportSize(size);
    for (let row = 0; row <= ROWS; row++) {
      await open(page, row);
      await eachPanel(page, async (panel) => {
        expect(await faults(page), `row ${row}, ${panel}`).toEqual([]);
      });
    }
    expect(heard).toEqual([]);
  });
}

test("at 200 % zoom everything is still there", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await open(page, 8);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("Nothing visible");
});

test("the README's screenshot is made here", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await open(page, 8);
  const file = new URL("../../docs/walkthrough.png", import.meta.url);
  if (process.env.FENCEPOST_SHOTS) await page.screenshot({ path: file.pathname });
  const png = readFileSync(file);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1440, 900]);
});

type AxeRun = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

/** Labels that overlap each other or leave the picture, texts that are cut, and a page that is too wide. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const apart = (a: DOMRect, b: DOMRect) =>
      a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 2.5 || b.bottom <= a.top + 2.5;
    const svg = document.querySelector(".canvas svg");
    const frame = svg?.getBoundingClientRect();
    const texts = [...(svg?.querySelectorAll("text") ?? [])].map((text) => ({
      text: text.textContent ?? "",
      box: text.getBoundingClientRect(),
    }));
    for (const [index, { text, box }] of texts.entries()) {
      if (frame && (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom))
        found.push(`"${text}" leaves the picture`);
      for (const other of texts.slice(index + 1))
        if (!apart(box, other.box)) found.push(`"${text}" overlaps "${other.text}"`);
    }
    const glyphs = [...document.querySelectorAll(".sign circle")].map((glyph) => glyph.getBoundingClientRect());
    for (const { text, box } of texts)
      if (glyphs.some((glyph) => !apart(box, glyph))) found.push(`"${text}" is behind a glyph`);
    for (const element of document.querySelectorAll<HTMLElement>("header *, main *")) {
      const style = getComputedStyle(element);
      const cut = element.scrollWidth > element.clientWidth + 1 && style.display !== "inline";
      const hidden = element.closest("svg") || style.clipPath !== "none" || element.offsetParent === null;
      if (cut && !hidden && element.clientWidth > 0) found.push(`cut: ${element.outerHTML.slice(0, 90)}`);
    }
    const [width, height] = [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
    if (width > innerWidth || height > innerHeight) found.push(`the page is ${width}x${height}`);
    const say = document.querySelector(".say");
    if (!say || say.scrollHeight > say.clientHeight) found.push("the sentence is cut");
    const dock = document.querySelector(".dock")?.getBoundingClientRect();
    if (!dock || dock.bottom > innerHeight) found.push("the transport is below the fold");
    return found;
  });
}
