import * as chainList from "viem/chains";
import { chain } from "../../../kernel/chain-profile.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { type Citation, readCitation, supportOf } from "../../../rules/documents/citation.ts";
import { labelValues } from "../../../rules/labels/load.ts";
import type { LintSources } from "../sources.ts";
import { openSources, refuseMistakes } from "../world.ts";
import { type AskChain, type ChainCheck, listChainChecks, runChainChecks } from "./chain-check.ts";
import { ChainSections } from "./chain-section.ts";
import { type CitedFact, listFacts } from "./cited-fact.ts";
import { CitedFiles } from "./cited-file.ts";
import { checkTransaction, type SeenTransaction, seenIn, transactionCheck } from "./cited-transaction.ts";
import { recomputeMembers, repeatReads } from "./recorded-read.ts";
import { absent, type CheckedSource, uncheckable, type Verdict } from "./verdict.ts";

export interface VerifyOptions {
  /** Of clones; null: no repositories. */
  repos: string | null;
  cases: readonly CaseFile[];
  /** null: nothing is checked on chain. */
  ask: AskChain | null;
  onProgress(done: number, all: number): void;
}

export interface VerifyReport {
  checked: CheckedSource[];
  /** Contracts of rule files by independent sources, without `moved` and `absent` ones. */
  support: Record<"two" | "one" | "none", number>;
}

/** Throws SourceError when the rules have mistakes. */
export async function verifySources(sources: LintSources, options: VerifyOptions): Promise<VerifyReport> {
  const { loaded, world, wanted } = openSources(sources, "");
  refuseMistakes(loaded.diagnostics);
  const { labels } = world;
  const facts = listFacts(loaded, sources);
  const files = options.repos === null ? null : new CitedFiles(options.repos, openSections(sources.labels));
  const seen = new Map(options.cases.map((file): [string, SeenTransaction] => [file.tx_hash, seenIn(file, labels)]));
  const checked: CheckedSource[] = [];
  const onChain: ChainCheck[] = [];
  facts.forEach((fact, i) => {
    options.onProgress(i, facts.length);
    for (const source of fact.sources) {
      const citation = readCitation(source);
      const verdict = lookUp(citation, fact, { files, seen, online: options.ask !== null });
      if (verdict !== undefined) checked.push({ fact, source, ...verdict });
      else if (citation?.kind === "transaction") onChain.push(transactionCheck(citation, fact, source));
    }
  });
  const byAddress = new Map(facts.map((fact) => [fact.address as string | null, fact]));
  checked.push(...recomputeMembers(wanted, { cases: options.cases, labels, facts }));
  if (options.ask !== null) {
    onChain.push(...listChainChecks(facts, labels.proxies), ...repeatReads(options.cases, (to) => byAddress.get(to)));
    checked.push(...(await runChainChecks(onChain, options.ask, options.onProgress)));
  }
  return { checked, support: countSupport(facts, checked) };
}

interface CitationSources {
  files: CitedFiles | null;
  seen: ReadonlyMap<string, SeenTransaction>;
  online: boolean;
}

/** undefined: an endpoint has to be asked. */
function lookUp(
  citation: Citation | undefined,
  fact: CitedFact,
  { files, seen, online }: CitationSources,
): Verdict | undefined {
  if (citation === undefined) return absent("it has none of the forms of a source");
  if (citation.kind === "page") return uncheckable("pages are not opened");
  if (citation.kind === "unverified") return uncheckable("it says so itself");
  if (citation.kind === "repository")
    return files === null ? uncheckable("no folder of clones was given") : files.check(citation, fact);
  if (citation.kind === "block") return online ? undefined : uncheckable("no endpoint was given");
  const tx = seen.get(citation.hash);
  if (tx !== undefined) return checkTransaction(citation, fact, tx);
  return online ? undefined : uncheckable("no recording and no endpoint");
}

/** Chains by the names that labels give to EIP-155 ids, and by a published list. */
function openSections(labels: LintSources["labels"]): ChainSections {
  const lists = labelValues<{ schemes: { eip155?: { names: Record<string, string> } } }>(labels, "chains");
  const labelled = lists.flatMap(({ schemes }) =>
    Object.entries(schemes?.eip155?.names ?? {}).map(([id, name]) => ({ id: Number(id), name })),
  );
  const listed = Object.entries(chainList).flatMap(([key, { id, name }]) => [
    { id, name: key },
    { id, name },
  ]);
  return new ChainSections(
    chain,
    [...listed, ...labelled].filter(({ id }) => id !== chain.id),
  );
}

function countSupport(facts: readonly CitedFact[], checked: readonly CheckedSource[]): VerifyReport["support"] {
  const support = { two: 0, one: 0, none: 0 };
  const refuted = new Map<CitedFact, Set<string>>();
  for (const { fact, source, status } of checked)
    if (status === "absent" || status === "moved") refuted.set(fact, (refuted.get(fact) ?? new Set()).add(source));
  for (const fact of facts.filter(({ kind }) => kind === "contract")) {
    const standing = fact.sources.filter((source) => refuted.get(fact)?.has(source) !== true);
    support[supportOf(standing.flatMap((source) => readCitation(source) ?? []))] += 1;
  }
  return support;
}
