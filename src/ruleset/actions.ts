import { parseTemplate, type Template } from "./compile/template.ts";

/** The action types of rules/actions.yaml, resolved. */
export interface ActionType {
  id: string;
  tier: TierName;
  definition: string;
  /** Told first when both happen. */
  over: string[];
  /** One asset must become another; ether and its wrapped form in equal amounts are one asset. */
  exchanges?: boolean;
  /** Ether that is given beside tokens pays for the act, and is no part of what the act is about. */
  ether_pays?: boolean;
  /** It may be told at a contract that nobody knows, where the account itself called it and nothing moved. */
  open?: boolean;
  /** 0 = told first within its tier. */
  rank: number;
  /** What is done, in base form, for when no rule's sentence can be filled: `swap tokens`. */
  does: Template;
}

/** By id. */
export type ActionTypes = ReadonlyMap<string, ActionType>;

/**
 * Tiers of actions, the strongest first. `act` is no tier of actions.yaml: there goes what was done at a known contract and has no
 * type of its own. To `control` every weaker act is raised that changes who controls an account or contract.
 */
export const tierNames = [
  "system",
  "authority",
  "protocol",
  "flow",
  "control",
  "act",
  "approval",
  "transfer",
  "fallback",
] as const;
export type TierName = (typeof tierNames)[number];

/** Position of a tier: lower is stronger. */
export function tierRank(tier: TierName): number {
  return tierRanks[tier];
}

const tierRanks = Object.fromEntries(tierNames.map((name, rank) => [name, rank])) as Record<TierName, number>;

/**
 * Where a rule of this action stands, by how strongly its place is proven (see gateStrength): without any proof no protocol's
 * type is believed, and at a known contract a call without a type still says more than the same account's allowances and transfers.
 */
export function tierOf(action: ActionType, strength: number, actsForOthers: boolean): number {
  if (action.tier === "protocol" && strength === 0) return tierRank("flow");
  return action.tier === "fallback" && strength >= 2 && !actsForOthers ? tierRank("act") : tierRank(action.tier);
}

interface ActionProblem {
  path: string[];
  message: string;
}

type ActionEntry = Pick<ActionType, "definition" | "exchanges" | "ether_pays" | "open"> & {
  over?: string[];
  does: string;
};

/**
 * Resolves the action table: every type, with its place inside its tier (longest chain of `over` edges above it).
 * Problems are returned as sentences with their path: unknown names in `over`, cycles.
 */
export function resolveActions(document: Record<string, Record<string, ActionEntry>>) {
  const actions = new Map<string, ActionType>();
  const problems: ActionProblem[] = [];
  for (const tier of tierNames)
    for (const [id, entry] of Object.entries(document[tier] ?? {}))
      actions.set(id, { id, tier, ...entry, over: entry.over ?? [], rank: 0, does: parseTemplate(entry.does) });
  for (const action of actions.values())
    for (const other of action.over) {
      const target = actions.get(other);
      const message = `\`${other}\` is no action of the same tier`;
      if (target?.tier !== action.tier) problems.push({ path: [action.tier, action.id, "over"], message });
    }
  for (const action of actions.values()) action.rank = depthOf(action.id, actions, problems, []);
  return { actions, problems };
}

/** Length of the longest chain of types that are told before this one. */
function depthOf(id: string, actions: ActionTypes, problems: ActionProblem[], trail: string[]): number {
  if (trail.includes(id)) {
    const message = `\`over\` goes in a circle: ${[...trail, id].join(" → ")}`;
    problems.push({ path: [actions.get(id)?.tier ?? "", id, "over"], message });
    return 0;
  }
  let depth = 0;
  for (const above of actions.values())
    if (above.over.includes(id)) depth = Math.max(depth, 1 + depthOf(above.id, actions, problems, [...trail, id]));
  return depth;
}
