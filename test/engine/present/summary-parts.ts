/** Summaries of made-up acts and losses, for tests of their words and their room. */

import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import type { CutPhrase } from "../../../src/engine/present/phrase.ts";
import { summarize } from "../../../src/engine/present/summary.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Phrase } from "../../../src/model/phrase.ts";
import { alice, caseOf, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

export const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const writer = {
  write: (does: string) => ({ text: does, untrusted: does.startsWith("odd"), amounts: [] }),
  address: (address: Address) => (address === vault ? "Vault" : teller.short(address)),
};

/** An act of alice's, or of another's. */
export function action(does: string, { control = false, status = "success", subject = alice as Address } = {}) {
  const flow = { gives: [], gets: [], complete: true };
  const context = { subject, flow, legs: [], log: null, tx: { weth: new Set(), movements: [], status: "success" } };
  return {
    rule: { does, id: does, action: "x", status, control, by: null, carries: null, protocol: null },
    context,
    logs: [],
  };
}

export const loss = (amount: bigint, to: Address = vault, account: Address = alice) => ({
  ...{ account, gross: amount, strangers: [], sent: [{ to, amount }], reached: [] },
  asset: { key: usdc, kind: "erc20", token: usdc, tokenId: null, amount, movements: [] },
});

export interface Parts {
  actions?: object[];
  losses?: object[];
  reverted?: boolean;
  reason?: Phrase | null;
  remark?: string | null;
  fee?: Phrase | null;
  missing?: Phrase[];
  simulated?: { block: number; differs: boolean } | null;
  grants?: object[];
  fees?: object[];
}

export function tell(parts: Parts): CutPhrase {
  const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);
  const { grants = [], ...rest } = parts;
  return summarize(
    {
      ...{
        actions: [],
        losses: [],
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
      withoutFees: () => ({ losses: rest.losses ?? [], fees: rest.fees ?? [] }),
      ...{ assessment: { grants, findings: [] }, ...rest },
    } as never,
    writer as never,
    { names, teller },
  );
}
export const said = (text: string, untrusted = false): Phrase => ({ text, untrusted });
export const me = teller.short(alice);
export const also = (acts: string) => teller.say("summary.also", { acts: said(acts) }).text;
export const beside = (told: string) => teller.say("summary.beside", { told: said(told) }).text;
export const steps = (count: number) => teller.say("summary.more_steps", { count }).text;
export const usd = (amount: string, to = "Vault") =>
  teller.say("summary.sent", { amount: said(`${amount} USDC`), to }).text;
export const acts = (...names: string[]) => names.map((name) => action(name));
