import { compareAmounts } from "../../../kernel/amount.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { Labels } from "../../../model/label.ts";
import type { Log, Movement, Transaction } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import type { Assessment } from "../../assess/assess.ts";
import { type Grant, readApproval } from "../../assess/grants/grants.ts";
import { movementsOf } from "../../normalize/movement-index.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";
import type { ToldLoss } from "./losses.ts";

/**
 * Allowances that no act states, as predicates of their owners: a permit inside a swap, a right over a collection. Not the possible rest of
 * an older one: the checks mention it.
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

/** Whether an act only tells an allowance that was used up at once, or the rest of an older one: the book of grants does not have it. */
export function isUsedUp({ rule, logs, context: { tx } }: ToldAct, { grants }: Pick<Assessment, "grants">): boolean {
  if (rule.tier !== tierRank("approval") || logs.length === 0) return false;
  return logs.every((index) => {
    const word = readApproval(tx.logs[index] as Log);
    if (word?.kind !== "erc20" || !word.stands) return false;
    return !grants.some((grant) => grant.logs.includes(index) && grant.stands);
  });
}

/** Where not all fit: many small ones must not hide a large one. */
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

/** Find room in most summaries. */
const roomyActs = 3;

/** As far as known. */
type SpentTest = { isSpent: (grant: Grant) => boolean };

/** Listed tokens' amounts first, the largest in front. */
function largestGrantsFirst(grants: readonly Grant[], names: AssetNames): readonly Grant[] {
  if (grants.length <= roomyActs) return grants;
  return heaviestFirst(grants, ({ token, amount }) => names.weight({ token, amount: amount ?? 1n }));
}

/**
 * Allowances used up without an event:
 * 1. a token contract's own: never assumed;
 * 2. another contract's (Permit2): a call tree shows the use, subtracted earlier. Without one: a labelled spender, and the owner later gave
 * exactly this much;
 * 3. over one NFT: ends when it moves.
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
