/** What the files of a ruleset say, by file, as far as it matters for planning: a stamp for each thing that they can be about. */
export type RuleSources = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function sourcesOf(_folders: unknown): RuleSources {
  return {};
}
