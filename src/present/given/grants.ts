import type { Assessment } from "../../assess/assess.ts";
import type { Grant } from "../../assess/grants/grants.ts";
import type { Address } from "../../kernel/address.ts";
import type { Labels } from "../../model/label.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { movementsOf } from "../../normalize/movement-index.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { Teller } from "../teller/teller.ts";
import type { ToldLoss } from "./losses.ts";

/**
 * Allowances that no act tells, as predicates of their owners: a permit inside of a swap, say, or a right over a collection. What may
 * as well be the rest of an older allowance is told by the checks.
 */
export function tellGrants(
  { grants }: Pick<Assessment, "grants">,
  actions: readonly { logs: readonly number[] }[],
  { names, teller, nameOf, isSpent }: Words,
): ToldLoss[] {
  if (grants.length === 0) return [];
  const toldLogs = new Set(actions.flatMap(({ logs }) => logs));
  return grants.flatMap((grant) => {
    const { owner, kind, token, grantee, amount, stands, uncertain, logs } = grant;
    const told = logs.some((log) => toldLogs.has(log));
    if (amount === 0n || !stands || uncertain || told || isSpent(grant)) return [];
    if (kind === "operator") {
      const all = { operator: nameOf(grantee), collection: nameOf(token) };
      return [{ account: owner, predicate: teller.say("summary.allowed_all", all) }];
    }
    if (amount === null) return [];
    const allowed = { spender: nameOf(grantee), amount: names.allowance(token, amount) };
    return [{ account: owner, predicate: teller.say("summary.allowed", allowed) }];
  });
}

interface Words {
  names: AssetNames;
  teller: Teller;
  nameOf: (address: Address) => string;
  /** Whether the allowance was used up as far as is known. */
  isSpent: (grant: Grant) => boolean;
}

/**
 * An allowance that another contract keeps is counted down without a word, which only a call tree shows. Without one: where a spender
 * that labels name had it, and its owner then gave just as much of the token, it was used up.
 */
export function spentGrants({ movements, traced }: Transaction, labels: Labels): (grant: Grant) => boolean {
  return ({ kind, owner, token, grantee, amount, logs }) => {
    if (traced || kind !== "managed" || amount === null || labels.name(grantee) === undefined) return false;
    const after = (move: Movement) => move.log > (logs.at(-1) ?? -1);
    const given = movementsOf(movements, owner).filter(
      (move) => move.from === owner && move.token === token && after(move),
    );
    return given.reduce((sum, move) => sum + move.amount, 0n) === amount;
  };
}
