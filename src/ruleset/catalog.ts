import { compareText } from "../kernel/canonical.ts";
import type { Ruleset } from "./ruleset.ts";

/** What the rules cover, as others are told: names, no conditions. */
export interface Catalog {
  /** In order of id. */
  protocols: CatalogProtocol[];
  /** In order of id. */
  actionTypes: { id: string; tier: string; definition: string }[];
}

export interface CatalogProtocol {
  id: string;
  /** null: a standard, whose rules name no protocol. */
  name: string | null;
  /** Action types that its rules find, sorted. */
  actions: string[];
}

export function listCatalog({ rules, actions }: Ruleset): Catalog {
  const protocols = new Map<string, CatalogProtocol>();
  for (const rule of rules) {
    const id = rule.id.slice(0, rule.id.indexOf("/"));
    const known = protocols.get(id) ?? { id, name: null, actions: [] };
    // A rule whose place nothing proves names no protocol; others of its file may.
    known.name ??= rule.protocol;
    if (!known.actions.includes(rule.action)) known.actions.push(rule.action);
    protocols.set(id, known);
  }
  const types = [...actions.values()].map(({ id, tier, definition }) => ({ id, tier, definition }));
  return {
    protocols: [...protocols.values()]
      .map((protocol) => ({ ...protocol, actions: protocol.actions.sort(compareText) }))
      .sort((a, b) => compareText(a.id, b.id)),
    actionTypes: types.sort((a, b) => compareText(a.id, b.id)),
  };
}
