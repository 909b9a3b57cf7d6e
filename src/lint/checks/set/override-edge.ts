import { suggest } from "../../../documents/suggest.ts";
import type { RuleView } from "../../rule-view.ts";
import { comparePrecedence, type RuleSet } from "./rule-set.ts";

/** RL702, RL703 and RL704: `overrides` that go in a circle, name no rule, or say what is so anyway. */
export function checkOverrides(set: RuleSet): void {
  const byId = new Map<string, RuleView[]>();
  for (const view of set.views) byId.set(view.rule.id, [...(byId.get(view.rule.id) ?? []), view]);
  for (const file of set.files)
    (file.document.rules ?? []).forEach((entry, position) => {
      const id = `${file.document.protocol}/${entry.id}`;
      const own = byId.get(id) ?? [];
      (entry.overrides ?? []).forEach((text, i) => {
        const other = text.includes("/") ? text : `${file.document.protocol}/${text}`;
        const path = ["rules", position, "overrides", i];
        const rivals = byId.get(other);
        const report = set.reporter(file);
        if (rivals === undefined)
          report.report("RL703", path, `\`${text}\` is no rule`, {
            suggest: closest(text, byId, file.document.protocol),
          });
        else if (other === id || set.overrides.above(other, id) || defersTo(own, rivals))
          report.report("RL702", path, `\`${id}\` and \`${other}\` override each other; one direction was expected`);
        else if (isDecided(own, rivals))
          report.report(
            "RL704",
            path,
            `\`${id}\` goes before \`${other}\` anyway; an edge that changes something was expected`,
          );
      });
    });
}

/** An edge from a rule that defers to one that does not goes against what `defers` says. */
function defersTo(own: readonly RuleView[], rivals: readonly RuleView[]): boolean {
  return own.some(({ rule }) =>
    rivals.some(
      ({ rule: rival }) => rule.defers && !rival.defers && rule.action === rival.action && rule.tier === rival.tier,
    ),
  );
}

/** Whether every form of one rule already goes before every form of the other that has its status. */
function isDecided(own: readonly RuleView[], rivals: readonly RuleView[]): boolean {
  const acts = own.filter(({ attempt }) => attempt === null);
  const pairs = (acts.length > 0 ? acts : own).flatMap((view) =>
    rivals.filter((rival) => rival.rule.status === view.rule.status).map((rival) => comparePrecedence(view, rival)),
  );
  return pairs.length > 0 && pairs.every((order) => order < 0);
}

function closest(text: string, byId: ReadonlyMap<string, unknown>, protocol: string): string | undefined {
  const ids = [...byId.keys()];
  return suggest(
    text,
    text.includes("/")
      ? ids
      : ids.flatMap((id) => (id.startsWith(`${protocol}/`) ? [id.slice(protocol.length + 1)] : [])),
  );
}
