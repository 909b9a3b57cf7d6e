import type { AssetChange, MatchContext } from "../../model/match.ts";
import { placeholdersOf } from "../../rules/ruleset/compile/template.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { Candidate } from "../match/candidate.ts";
import { feeShare } from "../money/thresholds.ts";
import type { Loss } from "./losses.ts";

/** A part of what an exchange took, and to whom it went. */
export interface GivenShare extends AssetChange, Pick<Loss["strangers"][number], "to" | "holders"> {}

interface Shared {
  actions: Candidate[];
  losses: readonly Loss[];
  /** By act. */
  shares: ReadonlyMap<MatchContext, readonly GivenShare[]>;
}

/**
 * An exchange that states what was given states all that its account gave of it, also a small part that went to one stranger: he is
 * named in its sentence. So does a price of NFTs. Only for accounts that made one call, so that all of it was given by that call.
 */
export function withShares(actions: readonly Candidate[], losses: readonly Loss[], isAlone: boolean): Shared {
  const shares = new Map<MatchContext, readonly GivenShare[]>();
  if (!isAlone || losses.every(({ strangers }) => strangers.length === 0))
    return { actions: [...actions], losses, shares };
  const joined = new Set<Loss>();
  const whole = actions.map((action) => {
    const { context, rule } = action;
    const { flow, subject } = context;
    if (!statesGiven(rule) || !(rule.exchanges || flow.gets.some(({ kind }) => kind === "nft"))) return action;
    const own: GivenShare[] = [];
    const gives = flow.gives.map((asset) => {
      const loss = losses.find((one) => one.account === subject && one.asset.key === asset.key && !joined.has(one));
      const [stranger, ...others] = loss?.strangers ?? [];
      if (loss === undefined || stranger === undefined || others.length > 0 || asset.kind === "nft") return asset;
      const amount = asset.amount + stranger.amount;
      if (stranger.amount * feeShare > amount) return asset;
      joined.add(loss);
      own.push({ ...asset, ...stranger });
      return { ...asset, amount };
    });
    if (own.length === 0) return action;
    const wider = { ...context, flow: { ...flow, gives } };
    shares.set(wider, own);
    return { ...action, context: wider };
  });
  return {
    actions: whole,
    losses: losses.map((loss) => (joined.has(loss) ? { ...loss, strangers: [] } : loss)),
    shares,
  };
}

function statesGiven({ does }: CompiledRule): boolean {
  return placeholdersOf(does).some(({ capture }) => capture === "gives");
}
