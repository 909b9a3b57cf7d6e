import { parseTemplate, type Template } from "./compile/template.ts";

/** A type of rules/actions.yaml, resolved. */
export interface ActionType {
  id: string;
  tier: TierName;
  definition: string;
  /** Types of the same tier; where both happen, this one goes first. */
  over: string[];
  /** Turns one asset into another; ether and as much wrapped ether are one asset. */
  exchanges?: boolean;
  /** Ether given beside tokens pays for the act. */
  ether_pays?: boolean;
  /** Allowed at an unknown contract that the account called itself, if nothing moved. */
  open?: boolean;
  /** Stated of every account that did it, also beside another headline. */
  beside?: boolean;
  /** An event at a known contract that names somebody for it is told of him, even if he did nothing. */
  burdens?: boolean;
  /** Place inside the tier; 0 is told first. */
  rank: number;
  /** Base form, such as `swap tokens`, where the rule's own sentence cannot be filled. */
  does: Template;
}

/** By id. */
export type ActionTypes = ReadonlyMap<string, ActionType>;

/**
 * The strongest first. actions.yaml does not use `act`, which is for calls of known contracts without a type. Changes of who controls an
 * account or contract are at least `control`.
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

/** Lower is stronger. */
export function tierRank(tier: TierName): number {
  return tierRanks[tier];
}

const tierRanks = Object.fromEntries(tierNames.map((name, rank) => [name, rank])) as Record<TierName, number>;

/**
 * `strength`: see gateStrength. Without proof, the protocol tier falls to `flow`: nobody may claim to be a protocol. At a known contract,
 * `fallback` rises to `act`: it says more than allowances and transfers of the same account.
 */
export function tierOf(action: ActionType, strength: number, actsForOthers: boolean): number {
  if (action.tier === "protocol" && strength === 0) return tierRank("flow");
  return action.tier === "fallback" && strength >= 2 && !actsForOthers ? tierRank("act") : tierRank(action.tier);
}

interface ActionProblem {
  path: string[];
  message: string;
}

type ActionEntry = Pick<ActionType, "definition" | "exchanges" | "ether_pays" | "open" | "beside" | "burdens"> & {
  over?: string[];
  does: string;
};

/** The rank of a type is the longest chain of `over` above it. Unknown names and cycles are returned as problems. */
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

/** A cycle is a problem and counts as 0. */
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
