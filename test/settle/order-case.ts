/** Acts of alice that are put in order, in a transaction in which two tokens moved. */
import type { Candidate } from "../../src/match/candidate.ts";
import type { Transaction } from "../../src/model/transaction.ts";
import { candidateOf, type FitParts } from "../support/candidate.ts";
import { alice, bob, carol, token, usdc } from "../support/case-of.ts";
import { move, moved } from "../support/movements.ts";

/** A word of a log that holds an address. */
export const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
/** A token that alice sent, and another one that bob and she sent each other, and he to carol. */
export const tx = moved([
  move(usdc, alice, bob, 5n),
  move(token, bob, carol, 1n),
  move(token, bob, alice, 2n),
  move(token, alice, bob, 2n),
]);
export const candidate = (id: string, parts: FitParts = {}, of: Transaction = tx) => candidateOf(id, of, parts);
/** The rules of candidates, in their order. */
export const ids = (list: readonly Candidate[]) => list.map(({ rule }) => rule.id);
