import type { Address } from "../kernel/address.ts";
import type { Transaction } from "../model/transaction.ts";
import { assetKey, type Completeness, netsOf } from "../settle/completeness.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import type { AssetNames, Phrase } from "./asset-names.ts";
import { type LeftOver, tellLeftOver } from "./left-over.ts";

interface Found {
  tx: Transaction;
  unwrapped: Unwrapped;
  completeness: Completeness;
  subject: Address;
}

/** Why the answer is partial, one sentence for each reason. Value that is not explained comes first, since the summary tells the first. */
export function tellMissing({ tx, unwrapped, completeness, subject }: Found, names: AssetNames): Phrase[] {
  const missing: string[] = [];
  const cut = [...tx.truncated, ...unwrapped.truncated];
  if (cut.length > 0) missing.push(`Not everything was read: ${cut.join(", ")}.`);
  if (unwrapped.calls.some((call) => call.state === "opaque")) missing.push("Some nested calls could not be read.");
  if (tx.movements.some((move) => move.basis === "calldata"))
    missing.push("The ether sent is what the calldata says; other ether moved inside could not be traced.");
  else if (!tx.nativeComplete) missing.push("Ether moved inside the call could not be traced.");
  const others = missing.map((text): Phrase => ({ text, untrusted: false }));
  const leftOver = tellLeftOver(leftOverOf(completeness, subject), names);
  return leftOver === undefined ? others : [leftOver, ...others];
}

/** What no action explains, by asset. */
function leftOverOf({ movements }: Completeness, subject: Address): LeftOver[] {
  const nets = netsOf(movements, subject);
  return [...nets].flatMap(([key, amount]) => {
    const move = movements.find((one) => assetKey(one) === key);
    return move === undefined ? [] : { move, amount };
  });
}
