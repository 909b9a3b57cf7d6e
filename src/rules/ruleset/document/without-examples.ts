/**
 * The text of a rule file without its examples, so that a start need not parse what only lint reads. The lines after them move up, so
 * places in this text differ from those of the file. It works on lines: it drops `examples:` of the file and `example:` of an entry of
 * `rules`, with all lines below that are indented deeper.
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
