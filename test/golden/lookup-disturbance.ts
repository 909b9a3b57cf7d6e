import type { Address } from "../../src/kernel/address.ts";
import type { CaseFile, LookupStatus, Simulation, TokenLookup } from "../../src/model/case-file.ts";
import type { LookupPlan } from "../../src/model/lookup-plan.ts";
import type { HistoryLookup, RiskLookups, VerificationLookup } from "../../src/model/risk-lookups.ts";

/** What lookups could have answered. They are made of what the plan for the transaction asks for. */
export type LookupDisturbance = (file: CaseFile, plan: LookupPlan) => CaseFile;

const stranger = `0x${"5e".repeat(20)}` as Address;
const answered = { source: "source.example", time: "2026-01-01T00:00:00Z" };

/** A case whose risk lookups all answered, and nothing is against anybody. */
export function withAnswers(file: CaseFile, plan: LookupPlan): CaseFile {
  return { ...file, risk: answersTo(plan) };
}

function answersTo({ risk: { verify, histories, listed } }: LookupPlan): RiskLookups {
  const list = { name: "list", snapshot_time: answered.time, sha256: "0".repeat(64), entries: 7, stale: false };
  return {
    verification: Object.fromEntries(verify.map(({ address }) => [address, codeAt(address)])),
    history: Object.fromEntries(histories.map((account) => [account, historyWith(listed)])),
    drainers: { ...answered, status: "found", lists: [list], asked: [...listed], hits: [] },
  };
}

function codeAt(address: Address): VerificationLookup {
  return { ...answered, status: "found", code: "contract", logic: [address], via: [], owned: false };
}

function historyWith(counterparties: readonly Address[]): HistoryLookup {
  const known = { counterparties: [...counterparties], unordered: [] };
  return { ...answered, status: "found", complete: true, through_code: false, ...known };
}

const withRisk = (change: (risk: RiskLookups, plan: LookupPlan) => Partial<RiskLookups>): LookupDisturbance => {
  return (file, plan) => {
    const risk = answersTo(plan);
    return { ...file, risk: { ...risk, ...change(risk, plan) } };
  };
};
const everyCode = (change: (code: VerificationLookup, i: number) => Partial<VerificationLookup>): LookupDisturbance => {
  return withRisk(({ verification }) => ({
    verification: Object.fromEntries(
      Object.entries(verification).map(([address, code], i) => [address, { ...code, ...change(code, i) }]),
    ),
  }));
};
const everyHistory = (change: Partial<HistoryLookup>): LookupDisturbance => {
  return withRisk(({ history }) => ({
    history: Object.fromEntries(Object.entries(history).map(([account, one]) => [account, { ...one, ...change }])),
  }));
};
const everyToken = (change: (token: TokenLookup) => Partial<TokenLookup>): LookupDisturbance => {
  return (file, plan) => {
    const known = Object.entries(file.tokens);
    const asked = plan.tokens.map((token) => [token, file.tokens[token] ?? tokenOf("TKN")] as const);
    return {
      ...file,
      tokens: Object.fromEntries([...known, ...asked].map(([token, one]) => [token, { ...one, ...change(one) }])),
    };
  };
};
const everyRead = (status: LookupStatus, result: `0x${string}` | null): LookupDisturbance => {
  return (file, { reads }) => ({
    ...file,
    reads: reads.map((read) => ({ ...read, status, source: "rpc", result: result as never })),
  });
};

function tokenOf(symbol: string): TokenLookup {
  return { status: "found", source: "rpc", symbol, name: `${symbol} token`, decimals: 18, standard: null };
}

const price = (change: Partial<CaseFile["price"]>): LookupDisturbance => {
  return (file) => ({ ...file, price: { status: "found", source: "source.example", eth_usd: "2500.5", ...change } });
};
const list = { name: "other", snapshot_time: null, sha256: null, entries: 0, stale: true };

export const lookups: Readonly<Record<string, LookupDisturbance>> = {
  "all is answered": withAnswers,
  "no code is published": everyCode(() => ({ status: "absent" })),
  "some code is not published": everyCode((_, i) => (i % 2 === 0 ? { status: "absent" } : {})),
  "published code is unavailable": everyCode(() => ({ status: "unavailable" })),
  "published code is undecidable": everyCode(() => ({ status: "inconclusive" })),
  "nobody has code": everyCode(() => ({ status: "absent", code: "none", logic: [] })),
  "code that was not read": everyCode(() => ({ status: "unavailable", code: null, logic: [] })),
  "code of others": everyCode(() => ({ logic: [stranger], via: ["eip1967"] })),
  "accounts with delegated code": everyCode(() => ({
    status: "absent",
    code: "delegated",
    logic: [stranger],
    via: ["eip7702"],
  })),
  diamonds: everyCode(() => ({ status: "absent", logic: [], via: ["diamond"] })),
  "Safes that one owns": everyCode(() => ({ logic: [stranger], via: ["safe"], owned: true })),
  "only the first code is answered": withRisk(({ verification }) => ({
    verification: Object.fromEntries(Object.entries(verification).slice(0, 1)),
  })),
  "nobody was met before": everyHistory({ counterparties: [] }),
  "a history that is not complete": everyHistory({ counterparties: [], complete: false }),
  "a history through code": everyHistory({ counterparties: [], through_code: true }),
  "acts whose place is unknown": withRisk(({ history }, { risk }) => ({
    history: Object.fromEntries(
      Object.entries(history).map(([account, one]) => [
        account,
        { ...one, counterparties: [], unordered: [...risk.listed] },
      ]),
    ),
  })),
  "a history without an answer": everyHistory({ status: "unavailable", counterparties: [] }),
  "a history that proves nothing": everyHistory({ status: "inconclusive", counterparties: [] }),
  "no history was asked": withRisk(() => ({ history: {} })),
  "the same was paid before": everyHistory({
    payments: [
      { amount: "1", time: answered.time },
      { amount: "2000000", time: answered.time },
    ],
  }),
  "the first is a drainer": withRisk(({ drainers }, { risk }) => ({
    drainers: { ...drainers, hits: risk.listed.slice(0, 1).map((address) => ({ address, list: "list" })) },
  })),
  "all are drainers": withRisk(({ drainers }, { risk }) => ({
    drainers: { ...drainers, hits: risk.listed.map((address) => ({ address, list: "list" })) },
  })),
  "no list is there": withRisk(({ drainers }) => ({ drainers: { ...drainers, lists: [] } })),
  "a list was not loaded": withRisk(({ drainers }) => ({
    drainers: { ...drainers, lists: [...drainers.lists, list] },
  })),
  "only a list that was not loaded": withRisk(({ drainers }) => ({ drainers: { ...drainers, lists: [list] } })),
  "lists were asked for one": withRisk(({ drainers }) => ({
    drainers: { ...drainers, asked: drainers.asked.slice(0, 1) },
  })),
  "no token answered": everyToken(() => ({ status: "unavailable", symbol: null, name: null, decimals: null })),
  "tokens without decimals": everyToken(() => ({ decimals: null })),
  "tokens with many decimals": everyToken(() => ({ decimals: 36 })),
  "tokens of no standard": everyToken(() => ({
    status: "absent",
    symbol: null,
    name: null,
    decimals: null,
    standard: null,
  })),
  "tokens are collections": everyToken(() => ({ standard: "erc721", decimals: null })),
  "tokens are called USDC": everyToken(() => ({ symbol: "USDC", name: "USD Coin" })),
  "tokens look like USDC": everyToken(() => ({ symbol: "USD\u0421", name: "USD \u0421oin" })),
  "tokens give orders": everyToken(() => ({ symbol: "Visit https://claim.example", name: "Send all\nyour ETH\u202e" })),
  "tokens were not asked": (file) => ({ ...file, tokens: {} }),
  "no read is answered": everyRead("unavailable", null),
  "reads say no": everyRead("found", `0x${"0".repeat(64)}`),
  "reads say yes": everyRead("found", `0x${"0".repeat(63)}1`),
  "reads were not asked": (file) => ({ ...file, reads: [] }),
  "no price": price({ status: "unavailable", eth_usd: null }),
  "a high price": price({ eth_usd: "98765432.10" }),
  "a price of nothing": price({ eth_usd: "0" }),
};

const simulated = (change: Partial<Simulation>): LookupDisturbance => {
  return (file) => {
    const whole = { priced: true, differs: false, unavailable: [], refusal: null };
    return { ...file, simulation: { method: "eth_simulateV1", ...whole, ...change } };
  };
};

/** The same as a preview, which is not on chain yet. */
export const previews: Readonly<Record<string, LookupDisturbance>> = {
  "a simulation": simulated({}),
  "a simulation that differs": simulated({ differs: true }),
  "a simulation without a price": simulated({ priced: false, differs: null }),
  "a simulation that is refused": simulated({ refusal: "funds" }),
  "a simulation after a failure": simulated({ unavailable: [{ method: "debug_traceCall", reason: "failed" }] }),
  "only what is asked": (file, plan) => {
    const unavailable: Simulation["unavailable"] = [{ method: "eth_simulateV1", reason: "missing" }];
    return simulated({ method: "none", unavailable, differs: null })(
      { ...file, receipt: { logs: [] }, trace: { source: "none", reason: "not run" } },
      plan,
    );
  },
};
