import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { alice, vault } from "../../support/case-of.ts";

/** A movement of ether, unless said otherwise. */
export const movement = (from: Address, to: Address, amount = 5n, parts: object = {}) => ({
  ...{ standard: "native", token: null, tokenId: null, amount, from, to, log: -1, call: -1, fee: false },
  ...{ basis: "transaction", ...parts },
});
/** A transaction from alice to the vault that holds only these parts. */
export const txOf = (parts: { movements?: object[]; [key: string]: unknown } = {}) =>
  ({
    ...{ from: alice, to: vault, logs: [], calls: [], traced: false, weth: new Set() },
    ...parts,
    movements: (parts.movements ?? []).map((one, index) => ({ ...one, index })),
  }) as unknown as Transaction;
/** A call that calldata asserts. */
export const call = (id: number, parts: Partial<ActorCall> = {}): ActorCall => ({
  ...{ id, parent: id - 1, via: null, step: null, from: alice, actor: alice, to: vault, value: 0n, input: "0x" },
  ...{ delegate: false, state: "asserted", frame: -1 },
  ...parts,
});
