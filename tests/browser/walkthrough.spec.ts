// Section 3, as the page shows it: by keyboard alone, forward, back, by link, by row, by scrubber.

import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { at, complaints, forward, open, ROWS, shown, status } from "./page.js";

/** t (s) | call | result, in the chapter's form; the native test reads the same table. */
const SECTION_3 = readFileSync(new URL("../section-3.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("every row is read from the page, by keyboard alone", { tag: "@sub-path" }, async ({ page }) => {
  const heard = await complaints(page);
  await open(page);
  for (const [index, [time, call, result]] of SECTION_3.entries()) {
    const row = page.locator("tbody tr").nth(index);
    await expect(row.locator(".result")).toHaveText("predict it");
    await forward(page, index + 1);
    await expect(row).toHaveAttribute("aria-current", "step");
    await expect(row.locator(".t")).toHaveText(time ?? "");
    await expect(row.locator(".link")).toHaveText(`Row ${index + 1}: ${call}`);
    await expect(row.locator(".result")).toHaveText(result ?? "");
    await expect(row.locator(".differs")).toHaveCount(0);
    const answers = (result ?? "").split(", then ");
    await expect(status(page).locator(".answer")).toHaveText(answers);
    await expect(page.locator(".lights .broken")).toHaveCount(0);
  }
  await page.keyboard.press("ArrowRight");
  await at(page, ROWS);
  expect(heard).toEqual([]);
});

test("going back is exact, and Home and End jump", async ({ page }) => {
  await open(page);
  const onward = [await shown(page)];
  for (let row = 1; row <= ROWS; row++) {
    await forward(page, row);
    onward.push(await shown(page));
  }
  expect(new Set(onward.map(String)).size).toBe(ROWS + 1);
  for (let row = ROWS - 1; row >= 0; row--) {
    await page.keyboard.press("ArrowLeft");
    await at(page, row);
    expect(await shown(page)).toEqual(onward[row]);
  }
  await page.keyboard.press("End");
  await at(page, ROWS);
  expect(await shown(page)).toEqual(onward[ROWS]);
  await page.keyboard.press("Home");
  await at(page, 0);
});

test("a link opens its row, the address follows, and history goes back", { tag: "@sub-path" }, async ({ page }) => {
  await open(page, 8);
  await expect(page.locator("tbody tr").nth(7).locator(".result")).toHaveText("LeaseLost");
  await expect(status(page)).toContainText("a lease ends at its deadline, not after it");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/#\/walkthrough\/section-3\?row=9$/);
  await page.evaluate(() => {
    location.hash = "#/walkthrough/section-3?row=4";
  });
  await at(page, 4);
  await page.goBack();
  await at(page, 9);
});

test("a link that leads nowhere says so and begins at the start", async ({ page }) => {
  for (const [hash, words] of [
    ["#/walkthrough/nowhere?row=3", "leads nowhere"],
    ["#/<img src=x onerror=alert(1)>", "leads nowhere"],
    ["#/walkthrough/section-3?row=99", "There are 11 rows"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(`./${hash}`);
    await expect(page.getByRole("alert")).toContainText(words);
  }
});

test("rows, buttons and the scrubber lead to a row, and play goes on by itself", async ({ page }) => {
  await page.clock.install();
  await open(page);
  await page.getByRole("button", { name: "Row 7: Poll" }).click();
  await at(page, 7);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await at(page, 8);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await at(page, 7);
  await page.getByRole("button", { name: "Last row" }).click();
  await at(page, ROWS);
  await page.getByRole("slider", { name: "Row" }).fill("5");
  await at(page, 5);
  await page.getByRole("slider", { name: "Row" }).press("ArrowRight");
  await at(page, 6);
  await page.getByRole("combobox", { name: "Speed" }).selectOption("4×");
  await page.getByRole("button", { name: "First row" }).click();
  await page.getByRole("button", { name: "Play" }).press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.clock.runFor(60_000);
  await at(page, ROWS);
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
});

test("table, picture and log light each other", async ({ page }) => {
  await open(page, 8);
  await page.locator("tbody tr").nth(6).hover();
  await expect(page.locator(".bar.lit")).toHaveCount(1);
  await expect(page.locator(".log li.lit")).toHaveCount(1);
  await expect(page.locator(".log li.lit")).toContainText("token 4");
  await page.locator(".sign").first().click();
  await at(page, 0);
  await open(page, 8);
  await page.locator(".sign").last().hover();
  await expect(page.locator("tbody tr.lit, tbody tr.current.lit")).toHaveCount(1);
});

test("help opens with ? and closes with Escape; the keys rest meanwhile", async ({ page }) => {
  await open(page, 3);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys and legend" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await at(page, 3);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("ArrowRight");
  await at(page, 4);
});
