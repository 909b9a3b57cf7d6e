import { suggest } from "../../../../rules/documents/suggest.ts";
import { entriesOf, type RuleView, type UsableFile } from "../../rule-view.ts";
import { comparePrecedence, type RuleSet, type SetFinding } from "./rule-set.ts";

/**
 * RL702: `overrides` in a circle. RL703: `overrides` that name no rule. RL704: `overrides` that change nothing, because the rule goes first
 * anyway.
 */
export function* checkOverrides(set: RuleSet): Generator<SetFinding> {
  const byId = Map.groupBy(set.views, ({ rule }) => rule.id);
  for (const file of set.wanted)
    for (const { entry, id, at } of entriesOf(file))
      for (const [i, text] of (entry.overrides ?? []).entries()) {
        const own = byId.get(id) ?? [];
        const other = file.scope.idOf(text);
        const path = [...at, "overrides", i];
        const rivals = byId.get(other);
        if (rivals === undefined)
          yield [file, "RL703", path, `\`${text}\` is no rule`, { suggest: closest(text, file, [...byId.keys()]) }];
        else if (other === id || set.overrides(other, id) || defersTo(own, rivals)) {
          const message = `\`${id}\` and \`${other}\` override each other; one direction was expected`;
          yield [file, "RL702", path, message];
        } else if (isDecided(own, rivals)) {
          const message = `\`${id}\` goes before \`${other}\` anyway; an edge that changes something was expected`;
          yield [file, "RL704", path, message];
        }
      }
}

/** Whether a rule with `defers` overrides one without it: the two fields contradict each other. */
function defersTo(own: readonly RuleView[], rivals: readonly RuleView[]): boolean {
  return own.some(({ rule }) =>
    rivals.some(
      ({ rule: rival }) => rule.defers && !rival.defers && rule.action === rival.action && rule.tier === rival.tier,
    ),
  );
}

/** Whether one rule goes before the other without `overrides`. Compares all forms with the same status. */
function isDecided(own: readonly RuleView[], rivals: readonly RuleView[]): boolean {
  const acts = own.filter(({ attempt }) => attempt === null);
  const pairs = (acts.length > 0 ? acts : own).flatMap((view) =>
    rivals.filter((rival) => rival.rule.status === view.rule.status).map((rival) => comparePrecedence(view, rival)),
  );
  return pairs.length > 0 && pairs.every((order) => order < 0);
}

/** The known id that is closest to a misspelt one. An id without a protocol is compared with those of its own file. */
function closest(text: string, { document }: UsableFile, ids: readonly string[]): string | undefined {
  const own = `${document.protocol}/`;
  const known = text.includes("/") ? ids : ids.filter((id) => id.startsWith(own)).map((id) => id.slice(own.length));
  return suggest(text, known);
}
