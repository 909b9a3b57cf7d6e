import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ExaminedCase } from "../../../src/gather/explain/explain.ts";
import { createViewer } from "../../../src/gather/explain/viewer.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { approvalTopic, transferTopic } from "../../../src/kernel/token-standards.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import type { ViewedDecision } from "../../../src/model/decision.ts";
import type { AccountView, BalanceChange } from "../../../src/model/told/account-view.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const addressOf = (digits: string) => toAddress(`0x${digits.repeat(20)}`);
const [alice, bob, usdc, coin] = ["a1", "b2", "c3", "d4"].map(addressOf) as [Address, Address, Address, Address];
const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const log = (address: string, ...topics: string[]) => ({ address, topics, data: "0x" }) as RpcLog;
const change = (token_address: string | null, standard: BalanceChange["standard"] = "erc20") =>
  ({ token_address, standard }) as BalanceChange;
const looked = { account: alice, prices: {}, balances: [] };

interface World {
  changes?: BalanceChange[];
  logs?: RpcLog[];
  source?: "network" | "recording";
  lookUp?: () => Promise<CaseFile>;
}

/** A viewer whose views say how often one was made and from which lookups. */
function open({ changes = [change(usdc)], logs = [], source = "network", lookUp }: World = {}) {
  const sample = caseFileOf(hashOf(1));
  const file: CaseFile = { ...sample, receipt: { ...sample.receipt, logs } };
  const examined = { answer: { source }, caseFile: file } as ExaminedCase;
  const asked: unknown[] = [];
  const signals: unknown[] = [];
  const viewOf = (account: Address | null, view?: unknown) =>
    ({ account: account ?? alice, balance_changes: changes, priced: view !== undefined }) as unknown as AccountView;
  const viewer = createViewer({
    explainer: {
      examine: async (hash, signal) => {
        signals.push([hash, signal]);
        return examined;
      },
      examined: () => examined,
    },
    decide: (_file, signal) => {
      signals.push(signal);
      return { view: viewOf } as unknown as ViewedDecision;
    },
    lookUp: async (caseFile, plan, signal) => {
      asked.push(plan);
      signals.push(signal);
      return lookUp === undefined ? { ...caseFile, view: looked } : lookUp();
    },
    cacheBytes: 1_000_000,
    clock: { now: () => Date.UTC(2030, 0, 1) },
  });
  const ofAct = () => viewer.ofAct(examined, (account, view) => viewOf(account, view));
  return { viewer, ofAct, asked, signals, file };
}

describe("what is looked up for a view", () => {
  it.each<[string, BalanceChange[], Address[]]>([
    ["nothing", [], []],
    ["ether", [change(null)], []],
    ["fungible tokens, in the order of the view", [change(usdc), change(null), change(coin)], [usdc, coin]],
    ["no NFTs", [change(usdc, "erc721"), change(coin), change(usdc, "erc1155")], [coin]],
    ["no address that is none", [change("0x12")], []],
    ["an address as it is written for people", [change(usdc.toUpperCase().replace("0X", "0x"))], [usdc]],
  ])("are balances and prices of what changed: %s", async (_name, changes, tokens) => {
    const { viewer, asked, file } = open({ changes });
    const told = await viewer.view({ hash: file.tx_hash as never, account: bob });
    expect(told.view).toMatchObject({ account: bob, priced: true });
    expect(asked).toEqual([{ account: bob, tokens, passed: [] }]);
  });

  it.each<[string, RpcLog, boolean]>([
    ["that the account sent", log(coin, transferTopic, word(bob), word(alice)), true],
    ["that the account got", log(coin, transferTopic, word(alice), word(bob)), true],
    ["of others", log(coin, transferTopic, word(alice), word(usdc)), false],
    ["of an NFT", log(coin, transferTopic, word(bob), word(alice), word("0x1")), false],
    ["with one party", log(coin, transferTopic, word(bob)), false],
    ["that is an approval", log(coin, approvalTopic, word(bob), word(alice)), false],
    ["of something longer than an address", log(coin, transferTopic, `0x1${word(bob).slice(3)}`, word(alice)), false],
    ["of a contract that is none", log("0x12", transferTopic, word(bob), word(alice)), false],
    ["without a topic", log(coin), false],
  ])("are balances of tokens with a transfer %s: %#", async (_name, one, passed) => {
    const { viewer, asked, file } = open({ logs: [one] });
    await viewer.view({ hash: file.tx_hash as never, account: bob });
    expect(asked).toEqual([{ account: bob, tokens: [usdc], passed: passed ? [coin] : [] }]);
  });
});

describe("a view that is asked for", () => {
  it("is decided once and made twice, without and with what was looked up, under the signal of the caller", async () => {
    const { viewer, signals, file } = open({ source: "recording" });
    const { signal } = new AbortController();
    const question = { hash: file.tx_hash as never, account: bob };
    const told = await viewer.view(question, signal);
    expect(told).toMatchObject({ source: "recording", view: { account: bob, priced: true } });
    expect(signals).toEqual([[file.tx_hash, signal], signal, signal]);
    expect(viewer.known(question)).toBe(told);
  });
});

describe("the view beside an act", () => {
  it("asks for nothing where nothing changed, or where the case is recorded", async () => {
    for (const world of [{ changes: [] }, { source: "recording" as const }]) {
      const { ofAct, asked, viewer, file } = open(world);
      expect(await ofAct()).toMatchObject({ account: alice, priced: false });
      expect([asked, viewer.known({ hash: file.tx_hash as never, account: null })]).toEqual([[], undefined]);
    }
  });

  it("waits for less than a second by default", async () => {
    const late = Promise.withResolvers<CaseFile>();
    const { ofAct, file } = open({ lookUp: () => late.promise });
    const told: AccountView[] = [];
    void ofAct().then((view) => told.push(view));
    await vi.advanceTimersByTimeAsync(serviceLimits.pagePricesMs - 1);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toMatchObject([{ priced: false }]);
    late.resolve({ ...file, view: looked });
    await vi.advanceTimersByTimeAsync(0);
    expect(await ofAct()).toMatchObject({ priced: true });
  });

  it("leaves no timer behind", async () => {
    expect(await open().ofAct()).toMatchObject({ priced: true });
    expect(vi.getTimerCount()).toBe(0);
    expect(await open({ lookUp: () => Promise.reject(new Error("broken")) }).ofAct()).toMatchObject({ priced: false });
    expect(vi.getTimerCount()).toBe(0);
  });
});
