import { compareAmounts } from "../../../kernel/amount.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { Labels } from "../../../model/label.ts";
import type { Movement, Transaction } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import type { Assessment } from "../../assess/assess.ts";
import type { Grant } from "../../assess/grants/grants.ts";
import { movementsOf } from "../../normalize/movement-index.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";
import type { ToldLoss } from "./losses.ts";

/**
 * Allowances that no act tells, as predicates of their owners: for example a permit inside a swap, or a right over a collection. An
 * allowance that may be the rest of an older one is not told here; the checks mention it.
 */
export function tellGrants(
  { grants }: Pick<Assessment, "grants">,
  actions: readonly { logs: readonly number[] }[],
  { names, teller, nameOf, isSpent }: Pick<Words, "names" | "teller" | "nameOf"> & SpentTest,
): ToldLoss[] {
  if (grants.length === 0) return [];
  const toldLogs = new Set(actions.flatMap(({ logs }) => logs));
  return largestGrantsFirst(grants, names).flatMap((grant) => {
    const { owner, kind, token, grantee, amount, stands, uncertain, logs, key } = grant;
    const told = logs.some((log) => toldLogs.has(log));
    if (amount === 0n || !stands || uncertain || told || isSpent(grant)) return [];
    if (kind === "operator") {
      const all = { operator: nameOf(grantee), collection: nameOf(token) };
      return [{ account: owner, predicate: teller.say("summary.allowed_all", all), logs }];
    }
    const spender = nameOf(grantee);
    const predicate =
      amount === null
        ? teller.say("summary.allowed_nft", { spender, nft: names.nft(token, BigInt(key ?? 0), 1n) })
        : teller.say("summary.allowed", { spender, amount: names.allowance(token, amount) });
    return [{ account: owner, predicate, logs }];
  });
}

/**
 * Reorders allowances among acts where not all find room: the heaviest first, so that many small ones cannot hide a large one. Where all
 * find room, the order stays.
 */
export function largeAllowancesFirst(
  told: readonly ToldAct[],
  { grants }: Pick<Assessment, "grants">,
  names: AssetNames,
): readonly ToldAct[] {
  if (told.length <= roomyActs || grants.length <= roomyActs) return told;
  const byLog = new Map(grants.flatMap((grant) => grant.logs.map((log) => [log, grant] as const)));
  const weights = new Map<ToldAct, bigint>();
  for (const act of told) {
    const grant = act.rule.tier === tierRank("approval") ? byLog.get(act.logs[0] ?? -1) : undefined;
    if (typeof grant?.amount === "bigint") weights.set(act, names.weight({ token: grant.token, amount: grant.amount }));
  }
  const weight = (act: ToldAct) => weights.get(act) as bigint;
  const kinds = Map.groupBy(weights.keys(), ({ rule }) => rule.action);
  for (const list of kinds.values()) list.sort((a, b) => compareAmounts(weight(b), weight(a)));
  return told.map((act) => (weights.has(act) ? (kinds.get(act.rule.action)?.shift() ?? act) : act));
}

/** This many acts find room in most summaries. */
const roomyActs = 3;

/** Whether an allowance is used up, as far as that is known. */
type SpentTest = { isSpent: (grant: Grant) => boolean };

/** Orders allowances by weight: amounts of listed tokens first, the largest at the front. Others keep their order. */
function largestGrantsFirst(grants: readonly Grant[], names: AssetNames): readonly Grant[] {
  if (grants.length <= roomyActs) return grants;
  return heaviestFirst(grants, ({ token, amount }) => names.weight({ token, amount: amount ?? 1n }));
}

/**
 * Tells which allowances were used up although no event says so. Three cases: 1. A token contract's own allowance is never assumed to be
 * used up. 2. For an allowance that another contract keeps (such as Permit2), a call tree shows the use, and it was subtracted earlier.
 * Without a call tree, the use is assumed where the spender has a label and its owner later gave exactly this much of the token. 3. An
 * allowance over one NFT ends when the NFT moves.
 */
export function spentGrants({ movements, traced }: Transaction, labels: Labels): (grant: Grant) => boolean {
  return ({ kind, owner, token, grantee, amount, logs, key }) => {
    const isNft = kind === "nft";
    if (!isNft && (traced || kind !== "managed" || labels.name(grantee) === undefined)) return false;
    const after = (move: Movement) => move.log > (logs.at(-1) ?? -1);
    const given = movementsOf(movements, owner).filter(
      (move) => move.from === owner && move.token === token && after(move),
    );
    if (isNft) return given.some(({ tokenId }) => `${tokenId}` === key);
    return given.reduce((sum, move) => sum + move.amount, 0n) === amount;
  };
}
