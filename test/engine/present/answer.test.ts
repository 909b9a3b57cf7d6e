import { describe, expect, it } from "vitest";
import { present } from "../../../src/engine/present/present.ts";
import { type Address, checksum, shorten, toAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { parseTemplate } from "../../../src/rules/ruleset/compile/template.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const { ruleset } = compileSources([]);
const labels = shippedLabels();
const simulation = { method: "debug_traceCall", priced: true, differs: false, unavailable: [], refusal: null };
const said = (text: string, untrusted = false) => ({ text, untrusted });

function move(from: Address, to: Address, of: Address | null = usdc, amount = 5_000_000n): Movement {
  const standard = of === null ? "native" : "erc20";
  return {
    ...{ standard, token: of, tokenId: null, amount, from, to, log: -1, call: -1, fee: false, basis: "log" },
  } as unknown as Movement;
}

const flow = { gives: [], gets: [], recipients: [], senders: [], complete: true };
const act = (does: string, more: object = {}, context: object = {}) => ({
  rule: {
    ...{ id: "a/b", version: () => "v1", action: "claim", does: parseTemplate(does), captures: new Map(), tier: 9 },
    ...{ status: "success", by: null, control: false, carries: null, protocol: null, ...more },
  },
  context: { subject: alice, flow, log: null, call: null, tx: { weth: new Set(), movements: [] }, ...context },
  ...{ logs: [], calls: [], movements: [] },
});
const finding = (flag: string | null) => ({ flag, statement: state("summary.reason_unknown", {}), evidence: [] });

interface Parts {
  tx?: object;
  file?: object;
  actions?: object[];
  losses?: object[];
  findings?: object[];
  remark?: object | null;
  movements?: Movement[];
  calls?: object[];
  grants?: object[];
}

function decide({
  tx = {},
  file = {},
  actions = [act("claim it")],
  losses = [],
  findings = [],
  remark = null,
  movements = [],
  calls = [],
  grants = [],
}: Parts = {}) {
  const transaction = {
    ...{ hash: "0xh", from: alice, to: vault, created: null, status: "success", mode: "mined", input: "0x", value: 0n },
    ...{ movements: movements.map((one, index) => ({ ...one, index })), calls: [], logs: [], truncated: [] },
    ...{ nativeComplete: true, feeWei: 10n ** 15n, timestamp: 1_772_366_400 },
    ...{ blockNumber: 7, authorizations: [], listed: new Set([usdc]), weth: new Set(), traced: true, ...tx },
  };
  const found = {
    ...caseOf({ tokens: { [token]: metadata("ODD", 2) } }),
    price: { status: "found", source: "p", eth_usd: "2000" },
  };
  const checks = {
    contract_verification: "ok",
    first_interaction: "ok",
    drainer_blacklist: "ok",
    unchecked: [],
    notes: [],
  };
  return present({
    ...{ file: { ...found, ...file }, ruleset, labels, tx: transaction, subject: alice, carried: new Map() },
    ...{
      statements: {
        ...{ keepers: new Map(), silent: [], burdens: [], sharers: [] },
        charged: { losses, fees: [], left: new Map() },
      },
      unwrapped: { calls, truncated: [] },
      settled: {
        actions,
        losses,
        payouts: [],
        shares: new Map(),
        twins: [],
        bookings: [],
        superseded: [],
        claimedCalls: new Set(),
      },
    },
    completeness: {
      movements: [],
      movementsTotal: 0,
      measureCalls: () => ({ open: [], total: 0 }),
      findLogs: () => [],
    },
    assessment: { grants, findings, checks, remark, suspects: new Set(), examined: [] },
  } as never).decision;
}
const answer = (parts: Parts = {}) => decide(parts).explanation;

describe("the answer about a transaction", () => {
  it("has all its parts", () => {
    const { explanation, evidence, preview } = decide({ movements: [move(bob, alice)] });
    expect(explanation).toEqual({
      ...{ summary: `${shorten(alice)} claimed it.`, action_type: "claim", status: "success" },
      assets_moved: [
        {
          ...{ token: "USDC", amount: "5", from: checksum(bob), to: checksum(alice) },
          ...{ token_address: checksum(usdc), standard: "erc20" },
        },
      ],
      counterparties: [bob, vault].map((one) => ({ address: checksum(one), label: null })),
      risk_flags: [],
      checks: {
        ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" },
        ...{ unchecked_addresses: [], note: null },
      },
      ...{ gas_paid_usd: 2, timestamp: "2026-03-01T12:00:00Z", block_number: 7, tx_hash: "0xh" },
      ...{ explorer_url: "https://basescan.org/tx/0xh", partial: false },
      provenance: { untrusted_fields: [], note: teller.words("answer.provenance") },
    });
    expect(preview).toBeUndefined();
    expect(evidence()).toMatchObject({ ruleset: ruleset.fingerprint, subject: alice, partial: [] });
    expect(evidence().actions.map(({ rule }) => rule)).toEqual(["a/b"]);
  });

  it("has null instead of an unknown price or time", () => {
    const price = { status: "unavailable", source: "p", eth_usd: "2000" };
    expect(answer({ file: { price } }).gas_paid_usd).toBeNull();
    expect(answer({ tx: { timestamp: null } }).timestamp).toBeNull();
    expect(answer({ actions: [] })).toMatchObject({ action_type: "unknown", partial: true });
  });

  it("says which of its texts are a stranger's", () => {
    const movements = [move(bob, alice), move(bob, alice, token)];
    expect(answer({ movements }).provenance.untrusted_fields).toEqual(["assets_moved[1].token"]);
    const text = new Map([["x", { kind: "text", get: () => "hi" }]]);
    const told = answer({ actions: [act("say {x}", { captures: text })], movements });
    expect(told.provenance.untrusted_fields).toEqual(["summary", "assets_moved[1].token"]);
  });

  it("is partial if something is missing, cut or not told", () => {
    const partial = (parts: Parts) => {
      const decided = decide(parts);
      return [decided.explanation.partial, decided.evidence().partial];
    };
    expect(partial({ tx: { nativeComplete: false } })).toEqual([true, [teller.say("missing.ether", {}).text]]);
    const many = Array.from({ length: limits.assetsMax + 1 }, () => move(bob, carol));
    expect(partial({ movements: many })).toEqual([true, []]);
    const drainers = Array.from({ length: 5_000 }, () => finding("known_drainer"));
    expect(partial({ findings: drainers.slice(0, 12) })).toEqual([false, []]);
    expect(partial({ findings: drainers })).toEqual([true, []]);
    const listed = answer({ findings: drainers }).risk_flags.length;
    const last = (parts: Parts) => answer(parts).summary.split("it. ")[1];
    expect(last({ movements: many })).toBe(teller.say("missing.movements_cut", { count: 1 }).text);
    expect(last({ findings: drainers })).toBe(teller.say("missing.flags_cut", { count: 5_000 - listed }).text);
    const takers = Array.from({ length: limits.counterpartiesMax + 1 }, (_, i) =>
      toAddress(`0x${i.toString(16).padStart(40, "d")}`),
    );
    const asset = { key: usdc, kind: "erc20", token: usdc, tokenId: null, amount: 1n, movements: [] };
    const strangers = takers.map((to) => ({ to, holders: [], amount: 1n }));
    const taken = {
      movements: takers.map((to) => move(alice, to)),
      losses: [{ account: alice, gross: 1n, asset, strangers, sent: [], reached: [] }],
    };
    expect(decide(taken).explanation.counterparties).toHaveLength(limits.counterpartiesMax);
    expect(answer(taken).partial).toBe(true);
  });

  it("tells a remark, gas in tokens, and why it reverted", () => {
    const remark = state("summary.reason_unknown", {});
    expect(answer({ remark }).summary).toBe(`${shorten(alice)} claimed it. ${teller.tell(remark)}`);
    const fee = { ...move(alice, bob), fee: true };
    const paid = teller.say("summary.gas_in_tokens", { amounts: said("5 USDC") });
    expect(answer({ movements: [fee] }).summary).toBe(
      `${shorten(alice)} claimed it. ${teller.say("summary.also", { acts: paid }).text}`,
    );
    const tried = [act("claim it", { status: "reverted" })];
    const reverted = answer({
      tx: { status: "reverted" },
      file: { trace: { root: { error: "out of gas" } } },
      actions: tried,
    });
    expect([
      reverted.status,
      reverted.summary.endsWith(teller.say("summary.reason", { reason: teller.say("reason.out_of_gas", {}) }).text),
    ]).toEqual([...["reverted", true]]);
  });
});

describe("the answer about a preview", () => {
  it("is told as a simulation, with notes", () => {
    const { explanation, preview } = decide({ file: { simulation } });
    const told = teller.say("preview.simulated", { block: 7, told: said(`${shorten(alice)} claimed it`) }).text;
    expect([explanation.summary, explanation.partial]).toEqual([`${told}.`, false]);
    expect(preview).toEqual({
      asks: [],
      notes: [{ code: "can_change", detail: teller.words("preview.note_can_change") }],
      untrustedAsks: [],
    });
    const differs = decide({ file: { simulation: { ...simulation, differs: true } } });
    expect(differs.explanation.summary).toBe(`${told}. ${teller.say("preview.differs", {}).text}`);
    expect(differs.explanation.partial).toBe(true);
    expect(decide({ file: { simulation: { ...simulation, differs: null } } }).explanation.partial).toBe(false);
  });

  it("without a simulation is always partial and lists each thing that is asked for", () => {
    const text = new Map([["x", { kind: "text", get: () => "hi" }]]);
    const { explanation, preview } = decide({
      tx: { mode: "requested" },
      file: { simulation: { ...simulation, method: "none", refusal: "funds" } },
      actions: [act("claim it"), act("say {x}", { captures: text })],
      grants: [{ grantee: bob, token: usdc, amount: 5_000_000n }],
      calls: [{ id: 1, to: carol, value: 0n, parent: null, children: [], state: "executed" }],
    });
    expect(preview?.asks.slice(0, 3)).toEqual([
      ...["claim it", 'say "hi"'],
      teller.say("preview.allow", { spender: shorten(bob), amount: said("5 USDC") }).text,
    ]);
    expect(preview?.untrustedAsks).toEqual([1]);
    expect(preview?.notes.map(({ code }) => code)).toEqual(["rejected", "not_simulated"]);
    expect(explanation.partial).toBe(true);
    expect(explanation.provenance.untrusted_fields).toEqual(["summary"]);
    const reason = state("refusal.funds", {});
    expect(explanation.summary.endsWith(teller.tell(state("preview.refused", { reason })))).toBe(true);
  });
});
