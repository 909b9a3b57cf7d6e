/**
 * The text of a rule file without its examples, so that a start need not parse what only lint reads. Other lines move up, so places
 * are not those of the file. It looks at lines: `examples:` of the file, `example:` of an entry of `rules`, and what is indented deeper.
 */
export function withoutExamples(text: string): string {
  let within: number | undefined;
  const lines = text.split("\n").filter((line) => {
    const indent = line.search(/\S/);
    if (within !== undefined && (indent < 0 || indent > within)) return false;
    within = line.startsWith("examples:") ? 0 : line.startsWith("    example:") ? 4 : undefined;
    return within === undefined;
  });
  return lines.join("\n");
}
