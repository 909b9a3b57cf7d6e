import type { Address } from "../../../kernel/address.ts";
import { sizeOf } from "../../../kernel/amount.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Movement } from "../../../model/transaction.ts";
import { assetKeyOf } from "../../money/trail.ts";
import { type Completeness, netsOf } from "../../settle/completeness.ts";
import type { Settled } from "../../settle/settle.ts";
import { leafCalls } from "../../unwrap/call-tree.ts";
import type { Unwrapped } from "../../unwrap/unwrap.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import type { Findings } from "../findings.ts";
import { joinPhrases } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";

type Told = Pick<Findings, "tx" | "unwrapped" | "settled" | "completeness" | "subject">;

/** One sentence each; unexplained value first, since the summary shows the first. */
export function tellMissing(
  { tx, unwrapped, settled, completeness, subject }: Told,
  names: AssetNames,
  teller: Teller,
): Phrase[] {
  const missing: Phrase[] = [];
  const cut = [...tx.truncated, ...unwrapped.truncated];
  if (cut.length > 0) missing.push(teller.say("missing.cut", { what: cut.join(", ") }));
  if (unwrapped.calls.some((call) => call.state === "opaque")) missing.push(teller.say("missing.nested_calls", {}));
  const own = ownCall(unwrapped, settled);
  if (own !== undefined) missing.unshift(teller.say("missing.own_call", { account: own }));
  if (tx.movements.some((move) => move.basis === "calldata")) missing.push(teller.say("missing.ether_by_calldata", {}));
  else if (!tx.nativeComplete) missing.push(teller.say("missing.ether", {}));
  const leftOver = tellLeftOver(leftOverOf(completeness, subject), names, teller);
  if (leftOver !== undefined) missing.unshift(leftOver);
  // Such a transaction may do anything else.
  if (tx.unknownType !== undefined) missing.unshift(teller.say("missing.type", { type: typeText(tx.unknownType) }));
  return missing;
}

/** A node may write anything in its place. */
function typeText(type: string): string {
  return /^0x[0-9a-f]{1,4}$/i.test(type) ? type : "without a number";
}

/** A call of itself without an act may change who controls the account. */
function ownCall({ calls, principals }: Unwrapped, { actions }: Settled): Address | undefined {
  const isTold = (account: Address) =>
    actions.some(({ rule, context }) => account === (rule.control ? context.subject : context.target));
  return leafCalls(calls).find(
    ({ parent, from, to, state, input }) =>
      parent >= 0 && from === to && input !== "0x" && state !== "failed" && principals.has(from) && !isTold(from),
  )?.from;
}

/** Received by the subject without an action, by asset. What went out is a loss. */
function leftOverOf({ movements }: Completeness, subject: Address): LeftOver[] {
  if (movements.length === 0) return [];
  const moves = new Map(movements.map((move) => [assetKeyOf(move), move]));
  return [...netsOf(movements, subject)].flatMap(([key, amount]) => {
    const move = moves.get(key);
    return move === undefined || amount < 0n ? [] : { move, amount };
  });
}

/** Positive: received. */
interface LeftOver {
  move: Movement;
  amount: bigint;
}

/** `0.5 WETH received is not explained.` Two by name, others counted. */
export function tellLeftOver(assets: readonly LeftOver[], names: AssetNames, teller: Teller): Phrase | undefined {
  if (assets.length === 0) return undefined;
  const shown = assets.slice(0, 2).map((asset) => phraseOf(asset, names, teller));
  const rest = assets.length - shown.length;
  if (rest > 0) shown.push(teller.say("asset.more", { count: rest }));
  return teller.say("missing.left_over", { count: assets.length, assets: joinPhrases(shown) });
}

function phraseOf({ move, amount }: LeftOver, names: AssetNames, teller: Teller): Phrase {
  const size = sizeOf(amount);
  const asset =
    move.tokenId === null ? names.amount(move.token, size) : names.nft(move.token as Address, move.tokenId, size);
  return teller.say(amount > 0n ? "missing.received" : "missing.sent", { asset });
}
