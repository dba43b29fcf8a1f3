// What the browser tests share: the page opened at a row, and everything it must not do listened for.
//
// It knows how to find the page's parts. It deliberately knows no expected result: those are in the specs.

import { expect, type Page } from "@playwright/test";

export const NAME = "section-3";
export const ROWS = 11;
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
export const THEMES = ["light", "dark"] as const;
export const PANELS = ["table", "timeline", "state"] as const;

/** Console errors and warnings, thrown errors and content-security violations, as they come. */
export async function complaints(page: Page): Promise<string[]> {
  const heard: string[] = [];
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) heard.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) heard.push(`${response.status()}: ${response.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    );
  });
  return heard;
}

/** Opens the page at a row. */
export async function open(page: Page, row = 0) {
  await page.goto(`./#/walkthrough/${NAME}?row=${row}`);
  await at(page, row);
}

/** The page shows this row. */
export async function at(page: Page, row: number) {
  await expect(page.locator(".where")).toHaveText(`row ${row} of ${ROWS}`);
}

/** One row on, by the keyboard. */
export async function forward(page: Page, row: number) {
  await page.keyboard.press("ArrowRight");
  await at(page, row);
}

/** The live region. */
export const status = (page: Page) => page.getByRole("status");

/** Does something in each panel; where all are on the screen at once, there is no tab to press. */
export async function eachPanel(page: Page, look: (panel: string) => Promise<void>) {
  for (const panel of PANELS) {
    const tab = page.locator(`.${panel}-tab`);
    if (await tab.isVisible()) await tab.click();
    await look(panel);
  }
}

/** Everything the page shows, as text and attributes: two steps that look the same are the same. */
export function shown(page: Page): Promise<string[]> {
  return page.locator("main").evaluate((main) => {
    const copy = main.cloneNode(true) as Element;
    // Attributes and classes are sets, whatever their order; what the pointer happens to light is not the step's.
    for (const element of copy.querySelectorAll("*")) {
      const attributes = [...element.attributes].map(({ name, value }) => [name, value] as const);
      for (const [name] of attributes) element.removeAttribute(name);
      for (const [name, value] of attributes.sort(([a], [b]) => a.localeCompare(b))) {
        const classes = value.split(" ").filter((one) => one !== "lit" && one !== "");
        const same = name === "class" ? classes.sort().join(" ") : value;
        if (same !== "" || name !== "class") element.setAttribute(name, same);
      }
    }
    return copy.innerHTML.replace(/<!--.*?-->/g, "").split(/(?=<)/);
  });
}
