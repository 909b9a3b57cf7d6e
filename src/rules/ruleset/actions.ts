import { parseTemplate, type Template } from "./compile/template.ts";

/** An action type of rules/actions.yaml, resolved. */
export interface ActionType {
  id: string;
  tier: TierName;
  definition: string;
  /** Ids of action types of the same tier. Where both happen, this type is told before them. */
  over: string[];
  /** The act turns one asset into another. Ether and the same amount of wrapped ether count as one asset. */
  exchanges?: boolean;
  /** Ether that is given beside tokens is a payment for the act, not what the act is about. */
  ether_pays?: boolean;
  /** The act may be told at an unknown contract, if the account called that contract itself and nothing moved. */
  open?: boolean;
  /** The act is told of every account that did it, also beside the headline of another one. */
  beside?: boolean;
  /** An event at a known contract that names somebody for it is told of him, even if he did nothing. */
  burdens?: boolean;
  /** Place inside the tier; 0 is told first. */
  rank: number;
  /** What is done, in base form, such as `swap tokens`. Told where the rule's own sentence cannot be filled. */
  does: Template;
}

/** By id. */
export type ActionTypes = ReadonlyMap<string, ActionType>;

/**
 * Tiers of actions, the strongest first. `act` is not used in actions.yaml: it is for calls of known contracts that have no action type of
 * their own. Acts that change who controls an account or contract are raised to `control` if their own tier is weaker.
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
 * The rank of the tier for a rule with this action. `strength`: how well the rule's place is proven (see gateStrength). Without any proof,
 * an action of the protocol tier is lowered to `flow`: nobody may claim to be a protocol. At a known contract, a call without a type of its
 * own (fallback) is raised to `act`: it says more than allowances and transfers of the same account.
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

/**
 * Resolves the action table. Each type gets its place inside its tier: the length of the longest chain of `over` edges above it. Unknown
 * names in `over` and cycles are returned as problems: a sentence and its path.
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

/** Length of the longest chain of `over` edges above this type. A cycle is reported as a problem and counts as 0. */
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
