import type { Address } from "../../../src/kernel/address.ts";
import type { Evidence } from "../../../src/model/evidence.ts";
import type { Checks, Explanation } from "../../../src/model/explanation.ts";
import type { AccountView } from "../../../src/model/told/account-view.ts";
import type { MessageExplanation } from "../../../src/model/told/message-explanation.ts";
import type { Preview } from "../../../src/model/told/preview.ts";
import type { TransactionPage } from "../../../src/serve/web/transaction-page.ts";
import { addressOf, grantOf, type PicturedSample, picturedOf } from "../picture/sample.ts";

const hash = `0x${"7".repeat(64)}`;
const low = (letter: string) => `0x${letter.repeat(40)}` as Address;
const noChecks: Checks = {
  ...{ contract_verification: "not_applicable", first_interaction: "not_applicable" },
  ...{ drainer_blacklist: "not_applicable", unchecked_addresses: [], note: null },
};

/** A picture's worth of everything that a page can show. */
const everything: PicturedSample = {
  moves: ["S A 1234567.5 USDC", "A S 1 V untrusted #7", "S B 1000 raw raw fee", "S 0 0.5 ETH"],
  grants: [
    grantOf({ spender: addressOf("B"), unlimited: true, through: "Permit2", until: "2030-01-02" }),
    grantOf({ kind: "operator", amount: null, token: "Punks", untrusted: true }),
    grantOf({ kind: "nft", amount: null, token: "Punks" }),
    grantOf({ amount: "4321", raw: true, uncertain: true, owner: addressOf("B") }),
    grantOf({ amount: null }),
  ],
  parties: { A: "Market <A>", B: null },
  labels: { B: "Bob", A: "told otherwise" },
  target: "A",
};

/** A page with everything that can be shown. Lists that are cut have more entries than are shown. */
export function fullPage(): TransactionPage {
  const pictured = picturedOf(everything);
  const change = { token: "USDC", untrusted: false, token_address: addressOf("U"), delta: "-1234567.5", raw: false };
  const facts = {
    ...pictured.facts,
    ...{ cut: 3, legs: pictured.facts.legs.map((leg, i) => ({ ...leg, inferred: i === 2 || i === 3 })).slice(0, 3) },
    changes: [
      change,
      { ...change, token: "V", untrusted: true, token_address: addressOf("V"), token_id: "7", delta: "1" },
      { ...change, token: "raw", token_address: addressOf("r"), delta: "-1000", raw: true },
      { ...change, token: "ETH", token_address: null, delta: "-0.5" },
    ],
    logs: [
      { log: 3, address: addressOf("A"), topic0: `0x${"ab".repeat(32)}` },
      { log: 4, address: addressOf("C"), topic0: null },
      { log: 9, address: addressOf("A"), topic0: null },
    ],
  };
  const explanation: Explanation = {
    ...pictured.explanation,
    ...{ summary: '0xaaaa…bbbb bought "<b>" from 0xcccc…dddd.', action_type: "nft_buy", status: "reverted" },
    risk_flags: [
      { flag: "known_drainer", detail: "It is <listed>." },
      { flag: "first_time_counterparty", detail: "Never before." },
    ],
    checks: {
      ...{ contract_verification: "ok", first_interaction: "partial", drainer_blacklist: "ok" },
      ...{ unchecked_addresses: [addressOf("C"), addressOf("D")], note: "One source was <slow>." },
    },
    ...{ gas_paid_usd: 1234.5, timestamp: "2024-03-10T00:56:29Z", block_number: 12, tx_hash: hash },
    ...{ explorer_url: `https://basescan.org/tx/${hash}`, partial: true },
    provenance: {
      untrusted_fields: [...pictured.explanation.provenance.untrusted_fields, "summary"],
      note: "",
    },
  };
  return { explanation, facts, evidence: fullEvidence(), view: fullView(), source: "recording" };
}

/** A page with as little as can be. */
export function barePage(): TransactionPage {
  const { explanation, facts, ...rest } = fullPage();
  const bare = picturedOf({});
  return {
    ...rest,
    explanation: {
      ...explanation,
      ...bare.explanation,
      ...{ status: "success", risk_flags: [], checks: noChecks, gas_paid_usd: null, timestamp: null, partial: true },
    },
    facts: { ...facts, ...bare.facts },
    evidence: bareEvidence(),
    view: null,
    source: "network",
  };
}

export function fullEvidence(): Evidence {
  const call = { id: 0, via: null, step: null, from: low("a"), to: low("b"), selector: "0x12345678", state: "done" };
  const many = <T>(count: number, make: (place: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return {
    ...{ ruleset: "abcdef", subject: low("a") },
    calls: [
      call,
      { ...call, id: 1, via: "safe", to: null, selector: "0x", state: "failed" },
      ...many(39, (i) => ({ ...call, id: i + 2 })),
    ],
    actions: [
      {
        ...{ rule: "punks/buy", version: "v1", action: "nft_buy", subject: low("a") },
        ...{ logs: [3], calls: [0], movements: many(41, (i) => i) },
      },
      {
        ...{ rule: "x/transfer", version: "v2", action: "transfer", subject: low("a") },
        ...{ logs: many(40, (i) => i + 4).filter((log) => log !== 9), calls: [], movements: [] },
      },
      { rule: "x/none", version: "v3", action: "claim", subject: low("a"), logs: [], calls: [], movements: [] },
    ],
    superseded: many(41, (i) => ({ rule: `x/lost-${i}`, by: "punks/buy", reason: "tier" })),
    unexplained: many(41, (i) => ({ movement: i, token: null, amount: "1", from: low("a"), to: low("b") })),
    unexplained_calls: [],
    unclaimed_logs: [{ log: 9, address: low("c"), topic0: null }],
    completeness: { movements: { explained: 3, total: 4 }, calls: { explained: 1, total: 2 } },
    partial: ["One <reason>.", "Another."],
    risk: {
      examined: [],
      findings: [
        ...many(40, (i) => ({
          ...{ flag: "known_drainer" as const, detail: `Detail <${i}>.`, address: low("a"), role: "called" },
          ...{ basis: "list", evidence: ["log 1", "log 2"] },
        })),
        { flag: null, detail: "Odd.", address: null, role: null, basis: "history", evidence: [] },
      ],
      lookups: many(41, (i) => ({ about: `history ${i}`, status: "found", source: "a.example", time: "2024" })),
    },
  };
}

export function bareEvidence(): Evidence {
  const none = { explained: 0, total: 0 };
  return {
    ...{ ruleset: "abcdef", subject: low("a"), calls: [], actions: [], superseded: [], unexplained: [] },
    ...{ unexplained_calls: [], unclaimed_logs: [], completeness: { movements: none, calls: none }, partial: [] },
    risk: { examined: [], findings: [], lookups: [] },
  };
}

function fullView(): AccountView {
  const change = { token: "USDC", token_address: addressOf("U"), standard: "erc20", delta: "-1234567.5" } as const;
  return {
    ...{ tx_hash: hash, account: addressOf("S"), role: "sender", summary: "", action_type: "nft_buy" },
    ...{ status: "success", grants: [], risk_flags: [], checks: noChecks, paid_gas_usd: null, timestamp: null },
    ...{ block_number: 12, explorer_url: "", partial: false },
    balance_changes: [
      { ...change, usd: -1234567.5, price_source: `chainlink:${addressOf("c")}@block`, balance_check: "equal" },
      {
        ...{ ...change, token: "V", token_address: addressOf("V"), standard: "erc1155", token_id: "7", delta: "1" },
        ...{ usd: null, price_source: null, balance_check: "not_checked" },
      },
      {
        ...{ ...change, token: "raw", token_address: addressOf("r"), delta: "-1000" },
        ...{ usd: null, price_source: null, balance_check: "differs" },
      },
      {
        ...{ ...change, token: "back", token_address: addressOf("b"), delta: "0" },
        ...{ usd: 0, price_source: "a.example", balance_check: "differs" },
      },
    ],
    provenance: { untrusted_fields: ["balance_changes[3].token"], note: "" },
  };
}

export function fullPreview(): Preview {
  const { explanation } = fullPage();
  const { assets_moved, counterparties, checks, provenance } = explanation;
  return {
    ...{ summary: "S would <buy>.", action_type: "nft_buy", outcome: "success", asks: ["buy <it>", "pay"] },
    ...{ assets_moved, counterparties, checks, provenance, fee_estimate_usd: 0.0123, partial: true },
    risk_flags: [{ flag: "simulation_reverted", detail: "It would fail." }],
    notes: [
      { code: "unpriced", detail: "No <price>." },
      { code: "can_change", detail: "It can change." },
    ],
    simulation: {
      ...{ method: "debug_traceCall", block_number: 99, block_hash: hash, gas_used: 21000 },
      ...{ priced: true, differs: false },
    },
  };
}

export function fullMessage(): MessageExplanation {
  const grant = { token: "USDC", token_address: addressOf("U"), spender: addressOf("A"), spender_label: "Router" };
  return {
    ...{ summary: "S would let <A> spend.", action_type: "permit", outcome: "not_simulated", assets_moved: [] },
    grants: [
      { ...grant, amount: "1.5", until: "2030-03-17T17:46:40Z" },
      { ...grant, amount: "unlimited", until: null, spender: addressOf("B"), spender_label: null },
      { ...grant, amount: null, until: null },
      { ...grant, amount: null, token_id: "7", until: null },
    ],
    message: {
      ...{ primary_type: "Permit", contract: addressOf("U"), contract_label: "USD <Coin>" },
      fields: [{ path: "to", type: "address", value: "<A>" }],
    },
    counterparties: [{ address: addressOf("B"), label: "Bob" }],
    risk_flags: [{ flag: "gives_for_nothing", detail: "For nothing." }],
    ...{ checks: noChecks, partial: true },
    provenance: { untrusted_fields: ["summary", "grants[0].token", "message.primary_type"], note: "" },
  };
}

export const signer = "0x9c1185a5c5e9fc54612808977ee8f548b2258d31";

/** A protocol with several of all that its page tells. */
export const protocol = {
  ...{ id: "punks", name: "Punks & co", family: "nft_market", site: "https://punks.example" },
  contracts: [
    { role: "the_market", label: "Market", address: signer, source: ["a", "b", "c"] },
    { role: "fees", label: "Fees", address: signer, source: ["a"] },
  ],
  members: [
    { role: "pools", proof: "registry" as const },
    { role: "clones", proof: "creation" as const },
    { role: "vaults", proof: "address" as const },
  ],
  rules: [
    { id: "sell", action: "nft_sell", says: "<sell> {it}", anchor: "call sell" },
    { id: "buy", action: "nft_buy", says: "<buy> {it} and <get> {that}", anchor: "call buy" },
    { id: "buy-2", action: "nft_buy", says: "<buy> {it}", anchor: "call buy2" },
  ],
};
