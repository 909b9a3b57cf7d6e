import type { Hex } from "viem";
import { alice, bob, carol, caseOf, token, vault } from "../../support/case-of.ts";
import { entryPoint } from "../../support/envelopes.ts";
import { compileShipped, runStages } from "../../support/own-rules.ts";

/** Rules of the envelopes that accounts use. */
export const ruleset = compileShipped("erc4337", "safe", "multicall", "coinbase-smart-wallet", "erc20", "flow");

type Parts = Parameters<typeof caseOf>[0];
/** What is inside of alice's call. */
export const unwrapped = (to: string, input: Hex, rest: Parts = {}) =>
  runStages(caseOf({ ...rest, transaction: { to, input, ...rest.transaction } }), ruleset).unwrapped;

/** The inner calls as `from → to: data, state`. */
export const inner = (to: string, input: Hex, rest: Parts = {}) =>
  unwrapped(to, input, rest)
    .calls.slice(1)
    .map((call) => `${nameOf(call.from)} → ${nameOf(call.to)} ${call.input} ${call.state}`);

const names: Record<string, string> = {
  [alice]: "alice",
  [bob]: "bob",
  [carol]: "carol",
  [vault]: "vault",
  [token]: "token",
};
const nameOf = (address: string | null) => names[address ?? ""] ?? (address === entryPoint ? "entry point" : "other");
