import { unwrap } from "../../../src/engine/unwrap/unwrap.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { carol, vault } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";

export const outerInput = "0xaaaaaaaa";
export type Context = { caller: Address; to: Address; item: Record<string, unknown> | undefined };
/** A part of the inner call. */
export const field =
  (name: string) =>
  ({ item }: Context) =>
    item?.[name];
/** A wrapper whose calldata stands for these inner calls. */
export const wrapper = (items: unknown, parts: object = {}) => ({
  ...{
    id: "wrap",
    call: { hash: outerInput, step: false, inputs: { items: [] }, read: () => [] },
    gate: {},
    suffix: 0,
  },
  ...{ each: { kind: "array", get: () => items }, actor: null, proof: null, bubbles: null, feesTo: null, when: null },
  inner: {
    from: ({ to }: Context) => to,
    to: field("to"),
    value: field("value"),
    data: field("data"),
    delegate: field("delegate"),
  },
  ...parts,
});
export const inner = (to: unknown = carol, parts: object = {}) => ({
  to,
  value: 3n,
  data: "0xbbbbbbbb",
  delegate: false,
  ...parts,
});

export interface World {
  tx?: Partial<Transaction>;
  moves?: Movement[];
  subjects?: object[];
}
/** Alice calls the vault; the vault and carol are known. */
export function unwrapped(wrappers: object[], { tx = {}, moves = [], subjects = [] }: World = {}) {
  const whole = moved(moves, {
    mode: "mined",
    value: 0n,
    input: outerInput,
    authorizations: [],
    etherWorth: () => undefined,
    ...tx,
  });
  const ruleset = {
    unwrappers: new Map([[outerInput, wrappers]]),
    ...{ fees: [], precompiles: [], subjects, signers: [], accounts: { code: new Set(), acts: new Set(), makers: [] } },
  };
  const gates = {
    admits: (gate: { kind?: string }, one: Address) => gate.kind === "any" || one === vault || one === carol,
    admitsAny: () => false,
  };
  return unwrap(whole, ruleset as never, gates as never);
}
