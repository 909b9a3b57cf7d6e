import type { Diagnostic } from "../../../model/diagnostic.ts";
import { citationForms, listSources, readCitation } from "../../../rules/documents/citation.ts";
import { createReporter } from "../../../rules/documents/reporter.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { openLabelFile } from "../../../rules/labels/load.ts";
import type { WrittenDocument } from "../../../rules/ruleset/document/rule-document.ts";
import type { LintFinding, UsableFile } from "../rule-view.ts";
import type { LintSources } from "../sources.ts";

/** RL213: a `source` that no program can look up. RL214: how many addresses have no source that can be checked. */
export function* checkSources({ written, document }: UsableFile): Generator<LintFinding> {
  for (const { path, source, addresses } of written === undefined ? [] : sourcesOf(written)) {
    yield* refusedForms(path, source);
    for (const [at, text] of placedTexts(path, source))
      if (addresses > 1 && readCitation(text)?.kind === "block")
        yield ["RL213", at, "a check at a block tells of one contract; it was expected beside that address"];
  }
  const entries = Object.values(document.contracts ?? {}).flat();
  const open = entries.filter(({ source }) => source.length > 0 && source.every(isUnverified));
  if (open.length === 0) return;
  const counted = open.length === 1 ? "1 address has" : `${open.length} addresses have`;
  yield ["RL214", ["contracts"], `${counted} no source that can be checked`, { key: true }];
}

/** RL213 and RL214 for the `sources` of the label files that were asked for. */
export function checkLabelSources({ labels, wanted }: LintSources): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const file of labels.filter(({ path }) => wanted.has(path))) {
    const document = openLabelFile(file);
    const reporter = createReporter(document, diagnostics);
    const { sources } = (document.value ?? {}) as { sources?: Record<string, unknown> };
    for (const [id, source] of Object.entries(sources ?? {})) {
      for (const finding of refusedForms(["sources", id], source)) reporter.report(...finding);
      if (listSources(source).every(isUnverified))
        reporter.report("RL214", ["sources", id], "what names this source has none that can be checked");
    }
  }
  return diagnostics;
}

/** RL213: texts that are no valid source. */
function refusedForms(path: DocumentPath, source: unknown): LintFinding[] {
  return placedTexts(path, source).flatMap(([at, text]): LintFinding[] =>
    readCitation(text) === undefined ? [["RL213", at, refusalOf(text)]] : [],
  );
}

function placedTexts(path: DocumentPath, source: unknown): [DocumentPath, string][] {
  return listSources(source).map((text, i) => [Array.isArray(source) ? [...path, i] : path, text]);
}

/** Why a text is no source. Where it is nearly one, says what is missing. */
function refusalOf(text: string): string {
  const [, page, repository, path] =
    /^https:\/\/github\.com\/(([^/]+\/[^/]+)\/(?:blob|tree|raw)\/[^/]+\/(.+))$/.exec(text) ?? [];
  if (page !== undefined)
    return `a branch moves on; the file at a commit was expected: \`${repository}@<commit>:${path}\``;
  const [, branch] = /^[\w-]+\/[\w.-]+@([^:]+):./.exec(text) ?? [];
  if (branch !== undefined)
    return `\`${branch}\` is no commit; 7 to 40 lower-case hex digits were expected, because a branch moves on`;
  if (/^https:\/\/\S+$/.test(text))
    return "a page changes; the day on which it was read was expected behind it, such as `https://… 2026-01-31`";
  return `\`${text}\` is no source; one of ${citationForms} was expected`;
}

function isUnverified(text: string): boolean {
  return readCitation(text)?.kind === "unverified";
}

interface PlacedSource {
  path: DocumentPath;
  source: unknown;
  /** How many addresses the source covers. */
  addresses: number;
}

/** Every `source` of a file, where it is written. */
function sourcesOf({ source, abi_source, contracts = {} }: WrittenDocument): PlacedSource[] {
  const roles = Object.entries(contracts).map(([role, { source: own, ...entries }]) => {
    const beside = Object.entries(entries).flatMap(([address, entry]): PlacedSource[] =>
      typeof entry === "object" && "source" in entry
        ? [{ path: ["contracts", role, address, "source"], source: entry.source, addresses: 1 }]
        : [],
    );
    const addresses = Object.keys(entries).length;
    return { addresses, sources: [{ path: ["contracts", role, "source"], source: own, addresses }, ...beside] };
  });
  const addresses = roles.reduce((sum, role) => sum + role.addresses, 0);
  const abi = { path: ["abi_source"], source: abi_source, addresses: 0 };
  return [{ path: ["source"], source, addresses }, abi, ...roles.flatMap((role) => role.sources)];
}
