import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Parts } from "../../../src/serve/access/parts.ts";
import { createReadiness } from "../../../src/serve/access/readiness.ts";

interface Says {
  supports?: boolean | Error;
  ledger?: Error;
  /** null: somebody else pays the gas. */
  gas?: bigint | Error | null;
  stuckSince?: number;
  dear?: boolean | Error;
  /** Whether payments that failed in a block cost too much gas. */
  lost?: boolean;
  /** Whether passes can be shown again. */
  shows?: boolean | Error;
}

const say = async <T>(word: T | Error): Promise<T> => {
  if (word instanceof Error) throw word;
  return word;
};

/** The first answer of a probe over these parts. The probe started at time 100, and the time is now 500. */
async function ask({
  supports = true,
  ledger,
  gas = null,
  stuckSince,
  dear = false,
  lost = false,
  shows = true,
}: Says) {
  let time = 100;
  const parts = {
    facilitator: { supports: (network: string) => (network === "eip155:8453" ? say(supports) : say(false)) },
    ledger: { ping: () => say(ledger ?? true) },
    chain: { gasBalance: (address: string) => say(address === "0x1" ? (gas as bigint | Error) : new Error("whose?")) },
    gasWallet:
      gas === null
        ? null
        : {
            ...{ address: "0x1", stuckSince: () => stuckSince ?? null, isGasTooDear: () => say(dear) },
            hasLostTooMuch: () => lost,
          },
  } as unknown as Parts;
  const read = createReadiness(parts, { canShowPasses: () => say(shows), gasLowWei: 10n ** 15n, now: () => time });
  time = 500;
  return read();
}

const trouble = (part: string, reason: string, since = 500) => ({ part, reason, since });
const eth = 10n ** 18n;

describe("the systems that charging depends on", () => {
  const ready = { facilitator: "ready", ledger: "ready", gas_balance_eth: null, degraded: [] };
  it.each<[string, Says, object]>([
    ["all well, and somebody else pays the gas", {}, ready],
    ["all well, with a wallet", { gas: 5n * eth }, { ...ready, gas_balance_eth: "5" }],
    ["just enough gas", { gas: 10n ** 15n }, { ...ready, gas_balance_eth: "0.001" }],
    [
      "a little less",
      { gas: 10n ** 15n - 1n },
      { ...ready, gas_balance_eth: "0.000999999999999999", degraded: [trouble("gas_wallet", "low")] },
    ],
    ["passes of another key", { shows: false }, { ...ready, degraded: [trouble("ledger", "pass_secret")] }],
    ["nobody knows of which key", { shows: new Error("no ledger") }, ready],
    ["no gas", { gas: 0n }, { ...ready, gas_balance_eth: "0", degraded: [trouble("gas_wallet", "empty")] }],
    [
      "gas that costs too much",
      { gas: eth, dear: true },
      { ...ready, gas_balance_eth: "1", degraded: [trouble("gas_wallet", "price_too_high")] },
    ],
    ["a price of gas that nobody tells", { gas: eth, dear: new Error("no") }, { ...ready, gas_balance_eth: "1" }],
    [
      "a chain that is silent",
      { gas: new Error("no") },
      { ...ready, degraded: [trouble("gas_wallet", "unavailable")] },
    ],
    [
      "a transaction that is stuck",
      { gas: eth, stuckSince: 7 },
      { ...ready, gas_balance_eth: "1", degraded: [trouble("facilitator", "transaction_stuck", 7)] },
    ],
    [
      "a wallet that lost too much gas",
      { gas: eth, lost: true },
      { ...ready, gas_balance_eth: "1", degraded: [trouble("gas_wallet", "reverted_gas")] },
    ],
    [
      "a facilitator of something else",
      { supports: false },
      { ...ready, facilitator: "unsupported", degraded: [trouble("facilitator", "unsupported")] },
    ],
    [
      "a silent facilitator",
      { supports: new Error("no") },
      { ...ready, facilitator: "unavailable", degraded: [trouble("facilitator", "unavailable")] },
    ],
    [
      "a silent ledger",
      { ledger: new Error("no") },
      { ...ready, ledger: "unavailable", degraded: [trouble("ledger", "unavailable")] },
    ],
    [
      "everything at once",
      { supports: false, gas: 0n, stuckSince: 7, ledger: new Error("no") },
      {
        ...{ facilitator: "unsupported", ledger: "unavailable", gas_balance_eth: "0" },
        degraded: [
          trouble("facilitator", "unsupported"),
          trouble("facilitator", "transaction_stuck", 7),
          trouble("gas_wallet", "empty"),
          trouble("ledger", "unavailable"),
        ],
      },
    ],
  ])("%s", async (_name, says, expected) => {
    expect(await ask(says)).toEqual(expected);
  });
});

describe("the time of a trouble", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** Readiness over parts that a test can change. Each look at the clock of troubles adds one to its time. */
  function open() {
    const says = {
      supports: true as boolean | Error | Promise<boolean>,
      ledger: true as boolean | Error | Promise<boolean>,
      time: 100,
    };
    const parts = {
      facilitator: { supports: async () => (says.supports instanceof Error ? say(says.supports) : says.supports) },
      ledger: { ping: async () => say(await says.ledger) },
      gasWallet: null,
    } as unknown as Parts;
    const read = createReadiness(parts, { canShowPasses: async () => true, gasLowWei: 0n, now: () => says.time });
    const later = async (parts: Partial<typeof says>, ms = 15_000) => {
      vi.advanceTimersByTime(ms);
      Object.assign(says, parts);
      return (await read()).degraded;
    };
    return { later, read };
  }

  it("is when it was seen first, for each by itself", async () => {
    const { later } = open();
    const gone = new Error("no");
    expect(await later({ time: 200, ledger: gone })).toEqual([trouble("ledger", "unavailable", 200)]);
    const both = [trouble("facilitator", "unavailable", 300), trouble("ledger", "unavailable", 200)];
    expect(await later({ time: 300, supports: gone })).toEqual(both);
    expect(await later({ time: 400, supports: false })).toEqual([
      trouble("facilitator", "unsupported", 400),
      trouble("ledger", "unavailable", 200),
    ]);
    expect(await later({ time: 500, ledger: true, supports: true })).toEqual([]);
    expect(await later({ time: 600, ledger: gone })).toEqual([trouble("ledger", "unavailable", 600)]);
  });

  it("is asked for every 15 seconds", async () => {
    const { later } = open();
    expect(await later({})).toEqual([]);
    expect(await later({ supports: false, time: 200 }, 14_999)).toEqual([]);
    expect(await later({ time: 300 }, 1)).toEqual([trouble("facilitator", "unsupported", 300)]);
  });

  it("is the start of the process for a part that has not answered within a second", async () => {
    const { later } = open();
    let told: unknown;
    const silent = new Promise<boolean>(() => {});
    const asking = later({ time: 900, supports: silent, ledger: silent }, 0).then((degraded) => {
      told = degraded;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(told).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await asking;
    expect(told).toEqual([trouble("facilitator", "unavailable", 100), trouble("ledger", "unavailable", 100)]);
  });

  it("is told for each part while another one hangs", async () => {
    const { later, read } = open();
    const soon = async (parts: Parameters<typeof later>[0]) => {
      const told = later(parts);
      await vi.advanceTimersByTimeAsync(1_000);
      return told;
    };
    const hanging = trouble("facilitator", "unavailable", 100);
    expect(await soon({ time: 900, supports: new Promise<boolean>(() => {}) })).toEqual([hanging]);
    expect(await read()).toMatchObject({ facilitator: "unavailable", ledger: "ready" });
    const gone = trouble("ledger", "unavailable", 950);
    expect(await soon({ time: 950, ledger: new Error("no") })).toEqual([hanging, gone]);
    expect(await soon({ time: 980, ledger: true })).toEqual([hanging]);
  });
});
