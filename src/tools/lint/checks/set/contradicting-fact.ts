import { readAddress } from "../../../../kernel/address.ts";
import { labelValues } from "../../../../rules/labels/load.ts";
import { type LintFinding, relatedTo, type UsableFile } from "../../rule-view.ts";
import type { LintSources } from "../../sources.ts";
import type { RuleSet, SetFinding } from "./rule-set.ts";

/** RL708: an address that has one name in a rule file and another one in a label file. Answers show the label file's name. */
export function* checkNames({ document }: UsableFile, names: ReadonlyMap<string, string>): Generator<LintFinding> {
  for (const [role, entries] of Object.entries(document.contracts ?? {}))
    for (const [i, { address: text, label }] of entries.entries()) {
      const named = names.get(readAddress(text) ?? "");
      if (named === undefined || named === label) continue;
      const message = `\`${text}\` is \`${label}\` here and \`${named}\` in the labels; one name was expected`;
      yield ["RL708", ["contracts", role, i, "label"], message, { suggest: named }];
    }
}

/**
 * Names of addresses from label files of the kind `names`. Tokens are left out: they have symbols, and a rule file may describe their
 * contracts in more words.
 */
export function labelledNames(labels: LintSources["labels"]): Map<string, string> {
  const files = labelValues<{ names: { address: string; label: string }[] }>(labels, "names");
  const entries = files.flatMap(({ names = [] }) => names);
  return new Map(entries.map(({ address, label }) => [readAddress(address) ?? "", label]));
}

/**
 * RL709: two rules expect the same event of the same contract with different numbers of topics. A contract writes one number only, so one
 * of the rules never matches.
 */
export function* checkTopics({ views, wanted }: RuleSet): Generator<SetFinding> {
  const firsts = new Map<string, { topics: number; related: () => ReturnType<typeof relatedTo> }>();
  for (const { rule, file, entry, at } of views) {
    const { anchor } = rule;
    if (anchor.kind !== "event" || anchor.gate.kind !== "set" || entry.event === undefined) continue;
    const { hash, topics, signature } = anchor.event;
    for (const address of anchor.gate.addresses) {
      const first = firsts.get(`${address} ${hash}`);
      if (first === undefined) {
        const related = () => relatedTo(file, [...at, "event"], `${topics} topics are expected here`);
        firsts.set(`${address} ${hash}`, { topics, related });
      } else if (first.topics !== topics && wanted.has(file)) {
        const message = `${signature} of ${address} has ${topics} topics here and ${first.topics} elsewhere; one number was expected`;
        yield [file, "RL709", [...at, "event"], message, { related: first.related() }];
        break;
      }
    }
  }
}
