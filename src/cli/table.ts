/** Lines of `name  value`. Values of several lines are indented below the first one; empty values are left out with their name. */
export function formatFields(fields: readonly (readonly [string, string])[]): string {
  const shown = fields.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => name.length)) + 2;
  return shown
    .map(([name, value]) => `${name.padEnd(width)}${value.replaceAll("\n", `\n${" ".repeat(width)}`)}\n`)
    .join("");
}

/** Rows with their columns aligned, two spaces between them. */
export function formatTable(
  rows: readonly (readonly string[])[],
  { rightAligned = [] }: { rightAligned?: readonly number[] } = {},
): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const align = (cell: string, i: number) =>
    rightAligned.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}
