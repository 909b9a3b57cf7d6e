import { expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { summarize } from "../../../src/engine/present/summary.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, caseOf, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
/** A sentence with an exclamation mark names 5 USDC. */
const writer = {
  write: (does: string) => ({
    ...{ text: does, untrusted: false },
    amounts: does.endsWith("!") ? [{ key: usdc, amount: 5_000_000n }] : [],
  }),
  address: (address: Address) => (address === vault ? "Vault" : teller.short(address)),
};

type Act = [does: string, subject?: Address, control?: boolean];

/** What is said where an account lost 5 USDC. */
function told(acts: Act[], account: Address): string {
  const actions = acts.map(([does, subject = alice, control = false]) => {
    const flow = { gives: [], gets: [], complete: true };
    const context = { subject, tx: { weth: new Set(), movements: [] }, flow, legs: [], log: null };
    const rule = { does, id: does, action: "x", status: "success", control, by: null, carries: null, protocol: null };
    return { rule, context, logs: [] };
  });
  const loss = {
    ...{ account, gross: 5_000_000n, strangers: [], sent: [{ to: vault, amount: 5_000_000n }], reached: [] },
    asset: { key: usdc, kind: "erc20", token: usdc, tokenId: null, amount: 5_000_000n, movements: [] },
  };
  const input = {
    ...{
      actions,
      losses: [loss],
      payouts: [],
      twins: [],
      bookings: [],
      silent: [],
      burdens: [],
      types: new Map(),
      alsoOf: () => undefined,
      reverted: false,
      reason: null,
    },
    ...{ remark: null, fee: null, missing: [], purpose: [], simulated: null, isSpent: () => false },
    withoutFees: () => ({ losses: [loss], fees: [] }),
    assessment: { grants: [], findings: [] },
  };
  const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
  return summarize(input as never, writer as never, { names, teller }).text;
}

const said = (text: string) => ({ text, untrusted: false });
const also = (acts: string) => ` ${teller.say("summary.also", { acts: said(acts) }).text}`;
const beside = (what: string) => ` ${teller.say("summary.beside", { told: said(what) }).text}`;
const steps = (count: number) => teller.say("summary.more_steps", { count }).text;
const sent = teller.say("summary.sent", { amount: said("5 USDC"), to: "Vault" }).text;
const bobs = teller.short(bob);

it.each<[string, Address, Act[], string]>([
  ["no act", alice, [["paid"]], also(sent)],
  ["the first act", alice, [["paid!"]], ""],
  ["the second", alice, [["paid"], ["a!"]], also("a!")],
  ["the fourth", alice, [["paid"], ["a"], ["b"], ["c!"]], also("a, b and c!")],
  [
    "the fourth of five, which is not shown",
    alice,
    [["paid"], ["a"], ["b"], ["c!"], ["d"]],
    also(`${sent}, a and ${steps(3)}`),
  ],
  ["the fifth, which is not shown", alice, [["paid"], ["a"], ["b"], ["c"], ["d!"]], also(`${sent}, a and ${steps(3)}`)],
  ["another's act, which is not shown", bob, [["paid"], ["gave!", bob]], beside(`${bobs} ${sent}`)],
  ["another's act, which is not its own", alice, [["paid"], ["gave!", bob]], also(sent)],
  ["another's change of control", bob, [["paid"], ["gave!", bob, true]], beside(`${bobs} gave!`)],
  [
    "its own change of control",
    alice,
    [["paid"], ["a"], ["b"], ["c"], ["d"], ["gave!", alice, true]],
    also(`gave!, a and ${steps(3)}`),
  ],
])("what was lost is not told again beside %s", (_act, account, acts, expected) => {
  expect(told(acts, account)).toBe(`${teller.short(alice)} ${acts[0]?.[0]}.${expected}`);
});
