import { compareText } from "../../kernel/canonical.ts";
import type { Ruleset } from "./ruleset.ts";

/** Public: names only, no conditions. */
export interface Catalog {
  /** In order of id. */
  protocols: CatalogProtocol[];
  /** In order of id. */
  actionTypes: { id: string; tier: string; definition: string }[];
}

export interface CatalogProtocol {
  id: string;
  /** null for a standard. */
  name: string | null;
  /** Sorted. */
  actions: string[];
}

export function listCatalog({ rules, actions }: Ruleset): Catalog {
  const protocols = new Map<string, CatalogProtocol>();
  for (const rule of rules) {
    const id = rule.id.slice(0, rule.id.indexOf("/"));
    const known = protocols.get(id) ?? { id, name: null, actions: [] };
    // A rule without a proven place has no protocol name. Another rule of the same file may have one.
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
