import { readAddress } from "../../../../kernel/address.ts";
import { labelValues } from "../../../../rules/labels/load.ts";
import { relatedTo } from "../../rule-view.ts";
import type { LintSources } from "../../sources.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL708: an address that has one name in a rule file and another one in a label file. Answers show the label file's name. */
export function checkNames(set: RuleSet, names: ReadonlyMap<string, string>): void {
  for (const file of set.wanted)
    for (const [role, entries] of Object.entries(file.document.contracts ?? {}))
      entries.forEach(({ address: text, label }, i) => {
        const named = names.get(readAddress(text) ?? "");
        if (named === undefined || named === label) return;
        const message = `\`${text}\` is \`${label}\` here and \`${named}\` in the labels; one name was expected`;
        set.report(file, "RL708", ["contracts", role, i, "label"], message, { suggest: named });
      });
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
export function checkTopics(set: RuleSet): void {
  const firsts = new Map<string, { topics: number; related: () => ReturnType<typeof relatedTo> }>();
  for (const { rule, file, entry, at } of set.views) {
    const { anchor } = rule;
    if (anchor.kind !== "event" || anchor.gate.kind !== "set" || entry.event === undefined) continue;
    const { hash, topics, signature } = anchor.event;
    for (const address of anchor.gate.addresses) {
      const first = firsts.get(`${address} ${hash}`);
      if (first === undefined) {
        const related = () => relatedTo(file, [...at, "event"], `${topics} topics are expected here`);
        firsts.set(`${address} ${hash}`, { topics, related });
      } else if (first.topics !== topics && set.wanted.has(file)) {
        const message = `${signature} of ${address} has ${topics} topics here and ${first.topics} elsewhere; one number was expected`;
        set.report(file, "RL709", [...at, "event"], message, { related: first.related() });
        break;
      }
    }
  }
}
