import type { Reporter } from "../../documents/reporter.ts";
import type { UsableFile } from "../rule-view.ts";

/** RL506: items of `abi` and members that nothing in the file names. Custom errors are read whenever a call reverts. */
export function checkAbiUse(file: UsableFile, reporter: Reporter): void {
  const { abi: _, members = {}, ...rest } = file.document;
  // What a file takes over is its original's business.
  const own = file.written;
  const words = new Set<string>();
  collectWords(rest, words);
  for (const name of Object.keys(members))
    if (!words.has(name) && Object.hasOwn(own?.members ?? {}, name))
      reporter.report("RL506", ["members", name], `\`${name}\` is not used in this file`, { key: true });
  collectWords(Object.values(members), words);
  for (const [name, item] of file.scope.abi)
    if (item.kind !== "error" && !words.has(name) && Object.hasOwn(own?.abi ?? {}, name))
      reporter.report("RL506", ["abi", name], `\`${name}\` is not used in this file`, { key: true });
}

function collectWords(node: unknown, words: Set<string>): void {
  if (typeof node === "string") for (const word of node.split(/[^A-Za-z0-9_]+/)) words.add(word);
  if (node === null || typeof node !== "object") return;
  for (const [key, value] of Object.entries(node)) {
    if (!Array.isArray(node)) words.add(key);
    collectWords(value, words);
  }
}

/** RL307: a selector or topic that a comment beside a signature states, and that is not the signature's. */
export function checkStatedHashes(file: UsableFile, reporter: Reporter): void {
  const lines = file.source.text.split("\n");
  for (const [name, item] of file.scope.abi) {
    if (!Object.hasOwn(file.written?.abi ?? {}, name)) continue;
    const line = file.source.rangeOf(["abi", name]).start.line;
    const comment = /#\s*(0x[0-9a-fA-F]+)\b/.exec(lines[line - 1] ?? "");
    const stated = comment?.[1]?.toLowerCase();
    if (
      comment === null ||
      stated === undefined ||
      (stated.length !== 10 && stated.length !== 66) ||
      stated === item.hash
    )
      continue;
    const column = comment.index + comment[0].length - stated.length + 1;
    const range = { start: { line, column }, end: { line, column: column + stated.length } };
    reporter.report("RL307", ["abi", name], `the comment states \`${stated}\`; the signature has \`${item.hash}\``, {
      range,
      suggest: item.hash,
    });
  }
}
