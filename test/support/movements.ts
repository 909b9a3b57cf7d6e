import type { Address } from "../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../src/model/transaction.ts";
import { alice, vault, weth } from "./case-of.ts";

/** A movement of a fungible asset: which one, from whom, to whom, and how much. The asset `null` is ether. {@link moved} sets the index. */
export function move(
  token: Address | null,
  from: Address,
  to: Address,
  amount: bigint,
  more: Partial<Movement> = {},
): Movement {
  return {
    index: -1,
    standard: token === null ? "native" : "erc20",
    token,
    tokenId: null,
    amount,
    from,
    to,
    log: -1,
    call: -1,
    fee: false,
    basis: token === null ? "trace" : "log",
    ...more,
  };
}

/** A transaction from alice to the vault with these movements, in this order. Nothing else about it is known. */
export function moved(movements: readonly Movement[], more: Partial<Transaction> = {}): Transaction {
  return {
    status: "success",
    from: alice,
    to: vault,
    movements: movements.map((each, index) => ({ ...each, index })),
    listed: new Set(),
    etherWorth: () => undefined,
    weth: new Set([weth]),
    calls: [],
    logs: [],
    traced: false,
    nativeComplete: true,
    ...more,
  } as Transaction;
}
