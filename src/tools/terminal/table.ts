/** `name value`, further lines indented; empty values are left out with their name. `columns`: breaks at blanks. */
export function formatFields(
  fields: readonly (readonly [string, string])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const shown = fields.filter(([, value]) => value !== "");
  const width = Math.max(0, ...shown.map(([name]) => name.length)) + 2;
  const wrapped = (value: string) => wrapText(value, Math.max(40, columns - width));
  return shown
    .map(([name, value]) => `${name.padEnd(width)}${wrapped(value).replaceAll("\n", `\n${" ".repeat(width)}`)}\n`)
    .join("");
}

/** Breaks at blanks; a longer word stays whole. New lines keep the indent. */
export function wrapText(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (line.length <= columns) return [line];
      const indent = /^ */.exec(line)?.[0] ?? "";
      const lines: string[] = [];
      let current = indent;
      for (const word of line.slice(indent.length).split(" ")) {
        if (current.length > indent.length && current.length + 1 + word.length > columns) {
          lines.push(current);
          current = indent;
        }
        current += current.length > indent.length ? ` ${word}` : word;
      }
      return [...lines, current];
    })
    .join("\n");
}

/** Columns two spaces apart. */
export function formatTable(
  rows: readonly (readonly string[])[],
  { rightAligned = [] }: { rightAligned?: readonly number[] } = {},
): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  const align = (cell: string, i: number) =>
    rightAligned.includes(i) ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number);
  return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}
