import { encodeAbiParameters, keccak256, pad } from "viem/utils";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../../src/kernel/address.ts";
import {
  type ChainCheck,
  listChainChecks,
  rolesWithCode,
  runChainChecks,
} from "../../../../src/tools/lint/facts/chain-check.ts";
import { repeatReads } from "../../../../src/tools/lint/facts/recorded-read.ts";
import { absent, found, moved, uncheckable } from "../../../../src/tools/lint/facts/verdict.ts";
import { withProgress } from "../../../../src/tools/lint/world.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [a, b] = [party("a"), party("b")];
const ether = toAddress(`0x${"e".repeat(40)}`);
const code = "0x6001";
const slot = `0x${"12".repeat(32)}`;
const proxies = [{ slot }, { slot: "0x2", asks: "f" }, { slot: "0x3", contains: "0x" }, { asks: "g" }, { slot: "0x5" }];
const document = { rules: [{ event: "Paid", at: ["pool", "vault"] }] };
const factOf = (more: object) => ({ address: a, role: "pool", sources: [], ...more });
const list = (...facts: object[]) => listChainChecks(facts.map(factOf) as never, proxies as never);
const first = (...facts: object[]) => list(...facts)[0] as ChainCheck;
const block = (of: string) => `block:7#${of}=${keccak256(code)}`;

describe("roles that must be contracts", () => {
  it("are those at which rules, members and unwrappers expect one", () => {
    const given = {
      protocol: "at",
      contracts: { x: { at: "unused" } },
      examples: [{ given: { at: "unused" } }],
      members: { m: { registry: { contract: "registry" } }, n: { create2: { deployer: ["maker", 7] } } },
      unwrap: [{ at: null, where: [{ emitter: "hub" }] }],
      rules: [
        { event: "Paid", call: "any", at: "pool", call_at: ["router", "pool"] },
        { call: "any", at: "account" },
        { call: "plain", at: "account" },
        { call: "pay", attempts: [{ at: "desk" }] },
      ],
    };
    expect([...rolesWithCode(given as never)]).toEqual(["registry", "maker", "hub", "pool", "router", "desk"]);
    expect([...rolesWithCode({ protocol: "a" } as never)]).toEqual([]);
  });
});

describe("what an endpoint is asked", () => {
  it("is code where rules expect it, and of some labels", () => {
    const named = list(
      { document },
      { document, role: "other" },
      { role: "oracle" },
      { role: "account_abstraction" },
      {},
    );
    expect(named.map(({ fact, source, calls }) => [fact.role, source, calls])).toEqual(
      ["pool", "oracle", "account_abstraction"].map((role) => [
        ...[role, "code on chain", [{ method: "eth_getCode", params: [a, "latest"] }]],
      ]),
    );
    expect(list({ document, address: null, decimals: 6, sources: [block("code")] })).toEqual([]);
  });

  it("is what tokens say, and the code that sources state", () => {
    const sources = ["ex/book@0123456:A.md", block("code"), block("implementation")];
    const asked = list({ decimals: 6, sources }, { address: ether, decimals: 18 });
    expect(asked.map(({ source }) => source)).toEqual(["token on chain", ...sources.slice(1)]);
    expect(asked[1]?.calls).toEqual([{ method: "eth_getCode", params: [a, "latest"] }]);
    expect(asked[2]?.calls).toEqual(
      [slot, "0x5"].map((one) => ({ method: "eth_getStorageAt", params: [a, one, "latest"] })),
    );
  });
});

describe("what answers mean", () => {
  const told = (check: ChainCheck, ...results: unknown[]) => check.judge(results);
  const untold = uncheckable("the endpoint told no code");

  it("for code", () => {
    const check = first({ document });
    expect([told(check, code), told(check, "0x"), told(check, undefined), told(check)]).toEqual([
      ...[found, absent("no code is at the address"), untold, untold],
    ]);
    const stated = first({ sources: [block("code")] });
    expect([told(stated, code), told(stated, "0x6002"), told(stated, "0x"), told(stated, null)]).toEqual([
      ...[found, moved("the code is another than at block 7"), absent("no code is at the address"), untold],
    ]);
  });

  it("for code behind a proxy, in the first slot that tells of any", () => {
    const check = first({ sources: [block("implementation")] });
    const none = uncheckable("no storage slot of a proxy tells whose code runs");
    for (const word of [undefined, "0x", pad("0x0"), `0x01${pad(b).slice(4)}`]) expect(told(check, word)).toEqual(none);
    const next = told(check, pad("0x0"), pad(b)) as ChainCheck;
    expect([next.source, next.calls]).toEqual([check.source, [{ method: "eth_getCode", params: [b, "latest"] }]]);
    expect([told(next, code), told(next, "0x")]).toEqual([found, absent("no code is at the address")]);
    expect((told(check, pad(a), pad(b)) as ChainCheck).calls[0]?.params[0]).toBe(a);
  });

  it("for reads that a recording holds, each asked once", () => {
    const read = (to: string, more: object = {}) => ({ status: "found", to, data: "0x12", result: "0x01", ...more });
    const cases = [
      { reads: [read(a), read(b), read(a, { data: "0x34" })] },
      { reads: [read(a), read(a, { data: "0x5", status: "absent" }), read(a, { data: "0x6", result: null })] },
    ];
    const checks = repeatReads(cases as never, (to) => (to === a ? (factOf({}) as never) : undefined));
    expect(checks.map(({ source, calls }) => [source, calls])).toEqual(
      ["0x12", "0x34"].map((data) => [
        ...[`read ${data}`, [{ method: "eth_call", params: [{ to: a, data }, "latest"] }]],
      ]),
    );
    const check = checks[0] as ChainCheck;
    expect([told(check, "0x01"), told(check, "0x02"), told(check)]).toEqual([
      ...[found, moved("it answers 0x02 by now"), absent("the registry no longer answers")],
    ]);
  });
});

describe("checks on chain", () => {
  const answers = (calls: readonly unknown[], result: unknown = code) => calls.map(() => ({ ok: true, result }));
  const run = async (checks: ChainCheck[], ask: (calls: readonly unknown[]) => unknown) => {
    const progress: number[][] = [];
    const told = await runChainChecks(
      checks,
      async (calls) => ask(calls) as never,
      (...one) => progress.push(one),
    );
    return { progress, statuses: told.map(({ fact, status, detail }) => [fact.role, status, detail].join(" ").trim()) };
  };

  it("are asked 25 at a time, each with its own answers", async () => {
    const checks = list(...Array.from({ length: 26 }, (_, i) => ({ sources: [block("code")], role: `r${i}` })));
    const sizes: number[] = [];
    const { progress, statuses } = await run(checks, (calls) => {
      sizes.push(calls.length);
      return answers(calls).with(0, { ok: sizes.length === 1, result: "0x" });
    });
    expect([sizes, progress]).toEqual([
      [25, 1],
      [
        [0, 26],
        [25, 26],
      ],
    ]);
    expect([statuses[0], statuses[1], statuses[25]]).toEqual([
      ...["r0 absent no code is at the address", "r1 found", "r25 uncheckable the endpoint told no code"],
    ]);
  });

  it("may ask further, and tell when nothing is answered", async () => {
    const checks = list({ sources: [block("implementation")] }, { document });
    const answered = await run(checks, (calls) =>
      calls.map((call) => ({
        ok: true,
        result: (call as { method: string }).method === "eth_getCode" ? code : pad(b),
      })),
    );
    expect(answered.statuses).toEqual(["pool found", "pool found"]);
    expect(answered.progress).toEqual([
      [0, 2],
      [0, 1],
    ]);
    const silent = "pool uncheckable the endpoint gave nothing: refused";
    expect((await run(checks, () => "refused")).statuses).toEqual([silent, silent]);
    expect(await run([], () => [])).toEqual({ progress: [], statuses: [] });
  });

  it("compare symbols and decimals of tokens", () => {
    const check = first({ decimals: 6, symbol: "USDC" });
    const texts = (symbol: string, decimals: number) =>
      check.calls.map((_, i) =>
        i === symbolAt(check)
          ? encodeAbiParameters([{ type: "string" }], [symbol])
          : i === decimalsAt(check)
            ? pad(`0x${decimals}`)
            : null,
      );
    expect([
      check.judge(texts("USDC", 6)),
      check.judge(texts("USDbC", 6)),
      check.judge(texts("USDC", 8)),
      check.judge([]),
    ]).toEqual([
      ...[found, moved('the contract calls itself "USDbC"'), absent("the contract has 8 decimals")],
      absent("the contract tells no decimals"),
    ]);
    const [plain] = list({ decimals: 6 });
    expect(plain?.judge(texts("any", 6))).toEqual(found);
  });
});

const selectorAt = ({ calls }: ChainCheck, selector: string) =>
  calls.findIndex(({ params }) => (params[0] as { data: string }).data.startsWith(selector));
const symbolAt = (check: ChainCheck) => selectorAt(check, "0x95d89b41");
const decimalsAt = (check: ChainCheck) => selectorAt(check, "0x313ce567");

it("each file is told of when its turn comes", () => {
  const told: unknown[] = [];
  for (const file of withProgress(["x", "y"], (...one) => told.push(one))) told.push(file);
  expect(told).toEqual([[0, 2], "x", [1, 2], "y"]);
  expect([...withProgress(["x"])]).toEqual(["x"]);
});
