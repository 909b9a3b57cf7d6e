import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import type { ExaminedCase } from "../../../src/gather/explain/explain.ts";
import { createViewer } from "../../../src/gather/explain/viewer.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { labels, ruleset } from "../../property/world.ts";
import { alice, bob, carol, caseOf, logOf, token, transferLog, usdc } from "../../support/case-of.ts";
import { defer } from "../../support/deferred.ts";

const file = caseOf({
  block: { number: "0x7", timestamp: "0x6553f100" },
  transaction: { to: usdc },
  receipt: { logs: [transferLog(usdc, alice, bob, 5_000_000n)] },
});
const priced: CaseFile["view"] = {
  account: alice,
  prices: { [usdc]: { status: "found", source: "prices.example", usd: "2" } },
  balances: [{ status: "found", token: usdc, before: "5000000", after: "0" }],
};

function open(
  lookUp: () => Promise<CaseFile>,
  { source = "network", pageWaitMs = 5_000 }: { source?: "network" | "recording"; pageWaitMs?: number } = {},
) {
  let asked = 0;
  const examined = { answer: { source }, caseFile: file } as ExaminedCase;
  const viewer = createViewer({
    explainer: { examine: async () => examined, examined: () => examined },
    decide: (caseFile) => decide(caseFile, ruleset, labels),
    lookUp: () => {
      asked++;
      return lookUp();
    },
    ...{ cacheBytes: 1_000_000, pageWaitMs },
  });
  const { view: tell } = decide(file, ruleset, labels);
  return { viewer, ofAct: () => viewer.ofAct(examined, tell), asked: () => asked };
}

describe("the view that a page shows", () => {
  it("has the prices that come in time, and is remembered for POST /view too", async () => {
    const { viewer, ofAct, asked } = open(async () => ({ ...file, view: priced }));
    const { balance_changes } = await ofAct();
    expect(balance_changes).toMatchObject([{ delta: "-5", usd: -10, balance_check: "equal" }]);
    expect(await ofAct()).toMatchObject({ balance_changes });
    expect(viewer.known({ hash: file.tx_hash as Hash, account: null })?.view.balance_changes).toEqual(balance_changes);
    expect(asked()).toBe(1);
  });

  it("does not wait for slow prices: they are asked for once, and are there later", async () => {
    const late = defer<CaseFile>();
    const { ofAct, asked } = open(() => late.promise, { pageWaitMs: 1 });
    const [first, second] = await Promise.all([ofAct(), ofAct()]);
    expect(first.balance_changes).toMatchObject([{ delta: "-5", usd: null, balance_check: "not_checked" }]);
    expect([second, asked()]).toEqual([first, 1]);
    late.resolve({ ...file, view: priced });
    await late.promise;
    await new Promise(setImmediate);
    expect((await ofAct()).balance_changes).toMatchObject([{ usd: -10 }]);
    expect(asked()).toBe(1);
  });

  it("stands without prices where looking them up fails, and is not remembered so", async () => {
    const { viewer, ofAct } = open(() => Promise.reject(new Error("broken")));
    expect((await ofAct()).balance_changes).toMatchObject([{ delta: "-5", usd: null }]);
    expect(viewer.known({ hash: file.tx_hash as Hash, account: null })).toBeUndefined();
  });

  it("asks for none where no source of the network answers", async () => {
    const { ofAct, asked } = open(() => Promise.reject(new Error("nobody is to be asked")), { source: "recording" });
    expect((await ofAct()).balance_changes).toMatchObject([{ delta: "-5" }]);
    expect(asked()).toBe(0);
  });
});

describe("the grants of an account", () => {
  const approval = (of: string, owner: string, spender: string, value: bigint) =>
    logOf(of, "event Approval(address indexed owner, address indexed spender, uint256 value)", {
      owner,
      spender,
      value,
    });
  const grantsOf = (account: typeof alice, logs: ReturnType<typeof approval>[]) =>
    decide(caseOf({ transaction: { to: usdc }, receipt: { logs } }), ruleset, labels).view(account).grants;

  it("are told of whoever gave them, whosever act it is", () => {
    const logs = [approval(usdc, bob, carol, 7_000_000n)];
    expect(grantsOf(bob, logs)).toMatchObject([{ token: "USDC", amount: "7", unlimited: false }]);
    expect(grantsOf(bob, logs)[0]?.spender.toLowerCase()).toBe(carol);
    expect(grantsOf(alice, logs)).toEqual([]);
    expect(grantsOf(carol, logs)).toEqual([]);
  });

  it("are what stands at the end", () => {
    expect(grantsOf(bob, [approval(usdc, bob, carol, 7n), approval(usdc, bob, carol, 0n)])).toEqual([]);
  });

  it("are not believed of a token that nobody knows: anybody can write its logs", () => {
    expect(grantsOf(bob, [approval(token, bob, carol, 7n)])).toEqual([]);
  });
});
