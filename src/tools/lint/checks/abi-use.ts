import { trailTo } from "../../../rules/abi/signature.ts";
import type { LintFinding, UsableFile } from "../rule-view.ts";

/**
 * RL506: items of `abi`, members and tables that nothing in the file uses. In a copy of another file (`like`), also roles that neither file
 * uses. Custom errors always count as used, because they are read whenever a call reverts.
 */
export function* checkAbiUse({ document, written, scope }: UsableFile): Generator<LintFinding> {
  const { abi: _, members = {}, tables = {}, contracts, ...rest } = document;
  const words = new Set<string>();
  const unused = (list: "abi" | "members" | "tables" | "contracts", names: readonly string[]): LintFinding[] =>
    // Names that a file takes over from another one are checked in that other file.
    names
      .filter((name) => !words.has(name) && Object.hasOwn(written?.[list] ?? {}, name))
      .map((name) => ["RL506", [list, name], `\`${name}\` is not used in this file`, { key: true }]);
  collectWords(rest, words);
  yield* unused("members", Object.keys(members));
  yield* unused("tables", Object.keys(tables));
  collectWords(Object.values(members), words);
  // A file with `like` has the roles of its original.
  if (written?.like !== undefined) yield* unused("contracts", Object.keys(contracts ?? {}));
  for (const [name, { inputs }] of scope.abi)
    if ([...words].some((word) => word.startsWith(anyCall) && trailTo(inputs, word.slice(anyCall.length)) !== null))
      words.add(name);
  yield* unused("abi", [
    ...[...scope.abi].flatMap(([name, { kind }]) => (kind === "error" ? [] : name)),
    ...scope.messages.keys(),
  ]);
}

/** In a path, this stands before the name of an argument: the bytes are read as a call of any function that has such an argument. */
const anyCall = ".as.any.";

function collectWords(node: unknown, words: Set<string>): void {
  if (typeof node === "string") for (const word of node.match(/[A-Za-z0-9_]+|\.as\.any\.\w+/g) ?? []) words.add(word);
  if (node === null || typeof node !== "object") return;
  for (const [key, value] of Object.entries(node)) {
    if (!Array.isArray(node)) words.add(key);
    collectWords(value, words);
  }
}
