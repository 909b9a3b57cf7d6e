import type { RuleDocument } from "../../ruleset/document/rule-document.ts";

/** Fields that say where events are written and calls go. */
const places = new Set(["at", "call_at", "contract", "deployer", "emitter"]);

/** Roles of a file at which its rules expect a contract: those that write its events or run its functions. Others may be plain accounts. */
export function rolesWithCode(document: RuleDocument): ReadonlySet<string> {
  const roles = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const [key, value] of Object.entries(node))
      if (!places.has(key)) visit(value);
      else for (const role of [value].flat()) if (typeof role === "string") roles.add(role);
  };
  const { rules = [], contracts: _, examples: __, ...others } = document;
  visit(others);
  // Plain calls and calls of any function also go to accounts.
  for (const rule of rules) if (rule.event !== undefined || (rule.call !== "any" && rule.call !== "plain")) visit(rule);
  return roles;
}
