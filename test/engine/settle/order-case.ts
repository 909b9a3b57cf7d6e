/** Acts of alice to put in order, in a transaction that moved two tokens. */
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import type { Transaction } from "../../../src/model/transaction.ts";
import { candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** A word of a log that holds an address. */
export const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
/** One token that alice sent. Another one that she and bob sent each other, and that he sent to carol. */
export const tx = moved([
  move(usdc, alice, bob, 5n),
  move(token, bob, carol, 1n),
  move(token, bob, alice, 2n),
  move(token, alice, bob, 2n),
]);
export const candidate = (id: string, parts: FitParts = {}, of: Transaction = tx) => candidateOf(id, of, parts);
/** The rules of candidates, in their order. */
export const ids = (list: readonly Candidate[]) => list.map(({ rule }) => rule.id);
