import type { GoldenAnswer } from "./golden-answer.ts";

/** Keyed by path, such as `rules/lending/aave-v3.txt`. */
export type GoldenFiles = ReadonlyMap<string, readonly GoldenAnswer[]>;

/** A new one has no `before`, one that is gone no `after`. */
interface GoldenChange {
  file: string;
  name: string;
  before?: GoldenAnswer;
  after?: GoldenAnswer;
}

export function compareGolden(before: GoldenFiles, after: GoldenFiles): GoldenChange[] {
  const files = [...new Set([...before.keys(), ...after.keys()])].sort();
  return files.flatMap((file) => {
    const old = new Map((before.get(file) ?? []).map((answer) => [answer.name, answer]));
    const own = new Map((after.get(file) ?? []).map((answer) => [answer.name, answer]));
    return [...new Set([...own.keys(), ...old.keys()])].flatMap((name): GoldenChange[] => {
      const [one, other] = [old.get(name), own.get(name)];
      const same = one?.answer === other?.answer && one?.evidence === other?.evidence;
      return same ? [] : [{ file, name, ...(one && { before: one }), ...(other && { after: other }) }];
    });
  });
}

/** Sentences before (`-`) and after (`+`), then counts. */
export function formatChanges(changes: readonly GoldenChange[]): string {
  const lines = [...Map.groupBy(changes, ({ file }) => file)].flatMap(([file, own]) => [
    file,
    ...own.flatMap((change) => [`  ${change.name}`, ...linesOf(change).map((line) => `    ${line}`)]),
  ]);
  return `${[...lines, countOf(changes)].join("\n")}\n`;
}

function linesOf({ before, after }: GoldenChange): string[] {
  if (before === undefined) return [`+ ${after?.summary}`];
  if (after === undefined) return [`- ${before.summary}`];
  if (before.summary !== after.summary) return [`- ${before.summary}`, `+ ${after.summary}`];
  if (before.action !== after.action)
    return [`  ${after.summary}`, `  the type was ${before.action}, is ${after.action}`];
  if (before.answer === after.answer) return [`  ${after.summary}`, "  the answer is the same, its evidence is not"];
  return [`  ${after.summary}`, "  the sentence is the same, other fields of the answer are not"];
}

function countOf(changes: readonly GoldenChange[]): string {
  const added = changes.filter(({ before }) => before === undefined).length;
  const removed = changes.filter(({ after }) => after === undefined).length;
  const evidence = changes.filter(({ before, after }) => before?.answer === after?.answer).length;
  const answers = changes.length - added - removed - evidence;
  return `Answers: ${answers} changed, ${evidence} changed in their evidence only, ${added} new, ${removed} gone.`;
}
