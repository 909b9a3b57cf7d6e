import type { Address } from "../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../src/model/transaction.ts";
import { alice, vault, weth } from "./case-of.ts";

/** A movement of fungible value: what, from whom, to whom, how much. `null` is ether. The index is set by {@link moved}. */
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

/** A transaction of alice to the vault in which this moved, in this order, and nothing else is known. */
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
