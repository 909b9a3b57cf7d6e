/** The made-up world of the tests, as answers name it: its assets, its accounts, and what moved between them. */

import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, caseOf, metadata, token, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

export const teller = shippedTeller();
export const labels = shippedLabels();
/** A token without symbol and decimals; `token` has a stranger's symbol. */
export const odd = toAddress(`0x${"71".repeat(20)}`);
export const worldFile = caseOf({ tokens: { [token]: metadata("ODD", 2), [odd]: metadata(null, null) } });
/** Names of assets, from the shipped labels and from what the tokens say about themselves. */
export const namesOf = () => {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set([7n]) };
  return new AssetNames(worldFile, labels, policy, teller);
};
const letters = new Map<Address, string>([
  [alice, "alice"],
  [bob, "bob"],
  [carol, "carol"],
  [vault, "vault"],
]);
/** Accounts of the tests by their names, all others by their short address. */
export const nameOf = (address: Address) => letters.get(address) ?? teller.short(address);
/** One of many that nobody knows. */
export const numbered = (i: number) => toAddress(`0x${i.toString(16).padStart(40, "d")}`);

/** A movement of ether, or of a token. */
export function move(
  from: Address,
  to: Address,
  amount: bigint,
  of: Address | null = null,
  more: Partial<Movement> = {},
): Movement {
  const standard = of === null ? "native" : "erc20";
  return {
    ...{ index: 0, standard, token: of, tokenId: null, amount, from, to, log: -1, call: -1, fee: false, basis: "log" },
    ...more,
  } as Movement;
}
/** Movements with their places. */
export const inTurn = (moves: Movement[]) => moves.map((one, index) => ({ ...one, index }));
