// Numbers as people read them. It knows seconds. It deliberately computes nothing of a queue.

/** Milliseconds as seconds, with as many decimals as needed: `45`, `4.999`. */
export function secs(millis: number): string {
  return String(millis / 1000);
}

/** A record's fields in their order, without its kind: what the log shows behind the kind's badge. */
export function recordFields(line: string): { kind: string; fields: [string, string][] } {
  const record: unknown = JSON.parse(line);
  const entries = Object.entries(record as Record<string, unknown>);
  const fields = entries.filter(([name]) => name !== "kind");
  return {
    kind: String(entries.find(([name]) => name === "kind")?.[1] ?? ""),
    fields: fields.map(([name, value]) => [name, JSON.stringify(value)]),
  };
}
