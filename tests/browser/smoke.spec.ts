// The page opens, wherever it is put.

import { expect, test } from "@playwright/test";

test("the page opens without a complaint", { tag: "@sub-path" }, async ({ page }) => {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });

  await page.goto("./");

  await expect.soft(page).toHaveTitle(/Fencepost/);
  await expect.soft(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(complaints).toEqual([]);
});
