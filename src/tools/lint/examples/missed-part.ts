import { decide } from "../../../engine/spine.ts";
import type { Address } from "../../../kernel/address.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { gateAddresses } from "../../../rules/ruleset/compile/gate.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import type { ExampleWorld } from "../world.ts";

const always = () => true;

/** One thing less that a rule asks for; its name for messages. */
interface Relaxed {
  part: string;
  change(rule: CompiledRule): CompiledRule;
}

/** The parts without which the rule would fit, each alone, then all; undefined for another cause. */
export function missedPart(id: string, caseFile: CaseFile, { ruleset, labels }: ExampleWorld): string | undefined {
  const forms = ruleset.rules.filter((rule) => rule.id === id && rule.attempt === null);
  const standsWith = (change: Relaxed["change"]): boolean => {
    const { actions, superseded } = decide(caseFile, withChanged(ruleset, forms, change), labels).evidence();
    return [...actions, ...superseded].some(({ rule }) => rule === id);
  };
  const parts = partsOf(forms);
  const found = parts.filter(({ change }) => standsWith(change)).map(({ part }) => part);
  if (found.length > 0) return `${found.join(" or ")} does not hold`;
  const all = (rule: CompiledRule) => parts.reduce((changed, { change }) => change(changed), rule);
  if (parts.length > 1 && standsWith(all))
    return `more than one of ${parts.map(({ part }) => part).join(", ")} do not hold`;
  return anchorText(forms, caseFile);
}

function partsOf(forms: readonly CompiledRule[]): Relaxed[] {
  const legs = [
    ...new Set(forms.flatMap((rule) => rule.legs.filter((leg) => leg.optional === false).map(({ name }) => name))),
  ];
  const optional = (name: string): Relaxed => ({
    part: `the leg \`${name}\``,
    change: (rule) => ({
      ...rule,
      legs: rule.legs.map((leg) => (leg.name === name ? { ...leg, optional: true } : leg)),
    }),
  });
  return [
    { part: "`when`", change: (rule) => ({ ...rule, premise: always, where: always, kind: always }) },
    ...(forms.some(({ who }) => who.length > 0)
      ? [{ part: "`subject`", change: (rule: CompiledRule) => ({ ...rule, who: [] }) }]
      : []),
    ...(forms.some(({ flow }) => flow !== null)
      ? [{ part: "`gives` or `gets`", change: (rule: CompiledRule) => ({ ...rule, flow: null }) }]
      : []),
    ...legs.map(optional),
  ];
}

function withChanged(ruleset: Ruleset, forms: readonly CompiledRule[], change: Relaxed["change"]): Ruleset {
  const changed = new Map(forms.map((rule) => [rule, change(rule)]));
  const list = (rules: readonly CompiledRule[]) => rules.map((rule) => changed.get(rule) ?? rule);
  const index = (rules: ReadonlyMap<string, CompiledRule[]>) =>
    new Map([...rules].map(([key, some]) => [key, list(some)]));
  return {
    ...ruleset,
    rules: list(ruleset.rules),
    byTopic: index(ruleset.byTopic),
    bySelector: index(ruleset.bySelector),
    byTarget: index(ruleset.byTarget),
    byParty: index(ruleset.byParty),
    unanchored: list(ruleset.unanchored),
    authorized: list(ruleset.authorized),
  };
}

/** The anchor's event is missing, or its contract is not admitted by `at`. */
function anchorText(forms: readonly CompiledRule[], { receipt }: CaseFile): string | undefined {
  const anchors = forms.flatMap(({ anchor }) => (anchor.kind === "event" ? anchor : []));
  const [first] = anchors;
  if (first === undefined || anchors.length < forms.length) return undefined;
  const logs = receipt.logs.filter(({ topics }) => anchors.some(({ event }) => topics[0] === event.hash));
  if (logs.length === 0) return `no log is of the event \`${first.event.name}\``;
  const admitted = anchors.map(({ gate }) => gateAddresses(gate));
  const strange = logs.every(({ address }) => admitted.every((list) => list?.includes(address as Address) === false));
  return strange ? `\`at\` does not admit the contract that wrote \`${first.event.name}\`` : undefined;
}
