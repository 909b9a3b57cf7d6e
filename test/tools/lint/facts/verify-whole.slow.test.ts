import { describe, expect, it } from "vitest";
import { verifySources } from "../../../../src/tools/lint/facts/verify-sources.ts";
import { findSources } from "../../../../src/tools/lint/sources.ts";
import { oldPool, pool, router, writeRules } from "./book.ts";

const [hash, other] = [`0x${"1".repeat(64)}`, `0x${"2".repeat(64)}`];
const [one, two] = ["ex/one@0123456:A.md", "ox/two@0123456:B.md"];
const page = "https://example.org/a 2026-01-31";

type Roles = Parameters<typeof writeRules>[0];

/** The verdict on each source of these roles. `answer`: the endpoint's answer to every call. */
async function verified(
  roles: Roles,
  { answer, cases = [], more = "" }: { answer?: unknown; cases?: object[]; more?: string } = {},
) {
  const progress: number[][] = [];
  const calls: unknown[] = [];
  const ask = async (batch: readonly { method: string }[]) => {
    calls.push(...batch.map(({ method }) => method));
    return batch.map(() => ({ ok: true, result: answer }));
  };
  const { checked, support } = await verifySources(findSources([writeRules(roles, more)]), {
    ...{
      repos: null,
      cases,
      ask: answer === undefined ? null : ask,
      onProgress: (...done: number[]) => progress.push(done),
    },
  } as never);
  return {
    told: checked.map(({ fact, source, status, detail }) => [fact.role, source, status, detail]),
    support,
    progress,
    calls,
  };
}

const roleOf = (...sources: string[]) => ({ address: pool, sources });

describe("sources that are looked up", () => {
  it("without clones, recordings and an endpoint say why they cannot be checked", async () => {
    const sources = [one, page, "unverified: told by a user", `tx:${hash}#Supply`, `block:12#code=${hash}`];
    const { told, progress, support } = await verified({
      pool: roleOf(...sources),
      old: { address: oldPool, sources: [sources[2] as string] },
    });
    expect(told.at(-1)).toEqual(["old", sources[2], "uncheckable", "it says so itself"]);
    expect(told.slice(0, -1)).toEqual(
      [
        "no folder of clones was given",
        "pages are not opened",
        "it says so itself",
        "no recording and no endpoint",
        "no endpoint was given",
      ].map((detail, i) => ["pool", sources[i], "uncheckable", detail]),
    );
    expect(progress).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(support).toEqual({ two: 1, one: 0, none: 1 });
  });

  it("are asked of an endpoint where only the chain can tell", async () => {
    const sources = [`tx:${hash}`, `block:12#code=${hash}`, page];
    const { told, calls } = await verified({ pool: roleOf(...sources) }, { answer: null });
    expect(told).toEqual([
      ["pool", page, "uncheckable", "pages are not opened"],
      ["pool", `tx:${hash}`, "absent", "the endpoint knows no such transaction"],
      ["pool", "code on chain", "uncheckable", "the endpoint told no code"],
      ["pool", `block:12#code=${hash}`, "uncheckable", "the endpoint told no code"],
    ]);
    expect(calls).toEqual(["eth_getTransactionByHash", "eth_getTransactionReceipt", "eth_getCode", "eth_getCode"]);
  });
});

describe("how well contracts are cited", () => {
  const block = `block:12#code=${hash}`;
  it.each<["two" | "one" | "none", string[][]]>([
    ["none", [["unverified: told by a user"], ["unverified: told by a user", "unverified: told twice"]]],
    ["one", [[one], [one, "EX/other@0123456:C.md"], [`tx:${hash}`], [`tx:${hash}`, `tx:${other}`], [page]]],
    [
      "two",
      [
        [one, two],
        [one, page],
        [one, block],
        [two, `tx:${hash}`],
        [one, two, page],
      ],
    ],
  ])("rests on %s", async (count, cited) => {
    const roles = cited.map((sources, i) => [`pool${i}`, { address: `0x${String(i + 1).repeat(40)}`, sources }]);
    const { support } = await verified(Object.fromEntries(roles));
    expect(support).toEqual({ two: 0, one: 0, none: 0, [count]: cited.length });
  });

  it("is counted of contracts alone", async () => {
    const { told, support } = await verified({ pool: roleOf(one) }, { more: `abi_source: "${two}"\n` });
    expect(told.map(([role]) => role)).toEqual(["pool", "abi"]);
    expect(support).toEqual({ two: 0, one: 1, none: 0 });
  });

  it("what is refuted supports nothing", async () => {
    const roles = { pool: roleOf(one, `tx:${hash}`), old: { address: oldPool, sources: [`tx:${hash}`] } };
    const more = { ...roles, router: { address: router, sources: [one, two] } };
    expect((await verified(more)).support).toEqual({ two: 2, one: 1, none: 0 });
    expect((await verified(more, { answer: null })).support).toEqual({ two: 1, one: 1, none: 1 });
  });
});
