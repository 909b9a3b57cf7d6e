/**
 * The text of a rule file with empty lines where examples stand, so that a start need not parse what only lint reads. Places stay
 * the same. It looks at lines: `examples:` of the file, `example:` of an entry of `rules`, and what is indented deeper.
 */
export function withoutExamples(text: string): string {
  let within: number | undefined;
  const lines = text.split("\n").map((line) => {
    const indent = line.search(/\S/);
    if (within !== undefined && (indent < 0 || indent > within)) return "";
    within = line.startsWith("examples:") ? 0 : line.startsWith("    example:") ? 4 : undefined;
    return within === undefined ? line : "";
  });
  return lines.join("\n");
}
