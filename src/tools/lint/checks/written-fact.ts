import { checksum, readAddress } from "../../../kernel/address.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import type { LintFinding, UsableFile } from "../rule-view.ts";

/** RL206: a protocol file without `site`, the page where a reader can see what the protocol is. */
export function* checkSite({ document }: UsableFile): Generator<LintFinding> {
  if (document.kind === "protocol" && document.site === undefined && (document.rules ?? []).length > 0)
    yield ["RL206", ["protocol"], "the file has no `site`; the protocol's page was expected", { key: true }];
}

/** RL205: addresses outside `contracts` with a wrong EIP-55 checksum. An address in lower case has no checksum. */
export function* checkLiterals({ document }: UsableFile): Generator<LintFinding> {
  yield* literalsIn(document.rules, ["rules"]);
  yield* literalsIn(document.examples, ["examples"]);
}

function* literalsIn(node: unknown, path: DocumentPath): Generator<LintFinding> {
  if (node !== null && typeof node === "object")
    for (const [key, value] of Object.entries(node))
      yield* literalsIn(value, [...path, Array.isArray(node) ? Number(key) : key]);
  const address = typeof node === "string" && node !== node.toLowerCase() ? readAddress(node) : undefined;
  if (address !== undefined && checksum(address) !== node)
    yield ["RL205", path, `\`${node}\` has a wrong EIP-55 checksum`, { suggest: checksum(address) }];
}

/** RL307: a comment beside a signature that states another selector or topic than the signature has. */
export function* checkStatedHashes({ source, scope, written }: UsableFile): Generator<LintFinding> {
  const lines = source.text.split("\n");
  for (const [name, { hash }] of scope.abi) {
    if (!Object.hasOwn(written?.abi ?? {}, name)) continue;
    const { line } = source.rangeOf(["abi", name]).start;
    const comment = /#\s*(0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{8}))\b/.exec(lines[line - 1] ?? "");
    const stated = comment?.[1]?.toLowerCase();
    if (comment === null || stated === undefined || stated === hash) continue;
    const column = comment.index + comment[0].length - stated.length + 1;
    const range = { start: { line, column }, end: { line, column: column + stated.length } };
    const message = `the comment states \`${stated}\`; the signature has \`${hash}\``;
    yield ["RL307", ["abi", name], message, { range, suggest: hash }];
  }
}
