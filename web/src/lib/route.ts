// The address: which scenario at which row, in the fragment, so that a link opens the page where it was.
// It knows the text of an address. It deliberately does not know what a row is.

export const HOME = "section-3";

export type Route = { scenario: string; row: number; problem?: string };

/** Reads `#/walkthrough/section-3?row=8`. Anything else leads to the start and says so. */
export function readRoute(hash: string, rows: number): Route {
  const start: Route = { scenario: HOME, row: 0 };
  if (hash === "" || hash === "#" || hash === "#/") return start;
  const match = /^#\/walkthrough\/([a-z0-9-]{1,60})(?:\?row=(\d{1,5}))?$/.exec(hash);
  if (match?.[1] !== HOME) {
    return { ...start, problem: "This link leads nowhere here. The walkthrough begins at its start." };
  }
  const row = Number(match[2] ?? 0);
  if (row > rows) {
    return { scenario: HOME, row: rows, problem: `There are ${rows} rows; this link asks for row ${row}.` };
  }
  return { scenario: HOME, row };
}

export function writeRoute({ scenario, row }: Route): string {
  return `#/walkthrough/${scenario}?row=${row}`;
}
