import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runVerifySources, verifyJson, verifyText } from "../../../src/tools/cli/verify-sources.ts";
import type { CheckedSource } from "../../../src/tools/lint/facts/verdict.ts";
import type { VerifyReport } from "../../../src/tools/lint/facts/verify-sources.ts";
import { defaultPaths, SourceError } from "../../../src/tools/lint/sources.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

/** The input of the check, the progress that it reports, and its result. */
const fake = vi.hoisted(() => ({
  given: [] as unknown[],
  asked: [] as [string, number][],
  shown: [] as string[],
  answers: {} as Record<string, unknown>,
  check: async (): Promise<unknown> => ({}),
}));
vi.mock("../../../src/tools/cli/progress.ts", async (original) => ({
  ...(await original<object>()),
  openProgress: () => ({ show: (text: string) => void fake.shown.push(text), clear: () => void fake.shown.push("-") }),
}));
vi.mock("../../../src/tools/lint/facts/verify-sources.ts", async (original) => ({
  ...(await original<object>()),
  async verifySources(sources: object, options: object) {
    fake.given.push(sources, options);
    (options as { onProgress(done: number, all: number): void }).onProgress(0, 3);
    return fake.check();
  },
}));
vi.mock("../../../src/tools/lint/sources.ts", async (original) => ({
  ...(await original<object>()),
  findSources: (paths: string[]) => paths,
}));
vi.mock("../../../src/gather/network/rpc/endpoint.ts", async (original) => ({
  ...(await original<object>()),
  createEndpoint: (url: string, { callTimeoutMs }: { callTimeoutMs: number }) => ({
    async ask() {
      fake.asked.push([url, callTimeoutMs]);
      return fake.answers[url];
    },
  }),
}));

const dir = mkdtempSync(join(tmpdir(), "txgloss-verify-"));
afterAll(() => rmSync(dir, { recursive: true }));
const rule = "rules/dex/aerodrome.yaml";
const fact = { file: "a.yaml", kind: "contract", role: "pool", label: "Pool", address: null, sources: [] } as const;
const reportOf = (...statuses: CheckedSource["status"][]): VerifyReport => ({
  checked: statuses.map((status) => ({ fact, source: "here", status, detail: "" })),
  support: { two: 1, one: 0, none: 0 },
});

beforeEach(() => {
  Object.assign(fake, { given: [], asked: [], shown: [], answers: {}, check: async () => reportOf() });
});

const run = (...more: string[]) => runVerifySources([rule, "--recordings", dir, ...more]);

describe("a run over sources", () => {
  it.each<[number, CheckedSource["status"][]]>([
    [0, []],
    [0, ["found", "uncheckable"]],
    [1, ["found", "moved"]],
    [1, ["absent", "found"]],
    [1, ["moved", "absent"]],
  ])("ends with %i where they are %j", async (status, statuses) => {
    const report = reportOf(...statuses);
    fake.check = async () => report;
    expect(await run()).toEqual({ status, out: verifyText(report, false), err: "" });
    expect(await run("--all")).toEqual({ status, out: verifyText(report, true), err: "" });
    expect(await run("--json")).toEqual({ status, out: verifyJson(report), err: "" });
  });

  it("checks the files that are named, with the recordings by name, and shows how far it is", async () => {
    for (const number of [2, 1])
      writeFileSync(join(dir, `${hashOf(number)}.json`), JSON.stringify(caseFileOf(hashOf(number))));
    for (const name of ["notes.json", `${hashOf(3)}.json.txt`, `x${hashOf(3)}.json`])
      writeFileSync(join(dir, name), "{");
    await run("--repos", dir);
    expect(fake.given).toEqual([
      [rule],
      {
        repos: dir,
        cases: [1, 2].map((number) => caseFileOf(hashOf(number))),
        ask: null,
        onProgress: expect.any(Function),
      },
    ]);
    expect(fake.shown).toEqual(["0 of 3", "-"]);
    await runVerifySources(["--recordings", dir]);
    expect(fake.given.slice(2)).toMatchObject([defaultPaths(), { repos: null }]);
  });

  it("names the recording that cannot be read", async () => {
    const broken = join(dir, "broken");
    mkdirSync(broken);
    writeFileSync(join(broken, `${hashOf(1)}.json`), JSON.stringify({ ...caseFileOf(hashOf(1)), chain_id: 1 }));
    const path = join(broken, `${hashOf(1)}.json`);
    expect(await runVerifySources([rule, "--recordings", broken])).toEqual({
      ...{ status: 2, out: "" },
      err: `rule-lint: ${hashOf(1)}.json: ${path} is a case of chain 1, not of 8453\nrule-lint verify-sources --help says more.\n`,
    });
    expect(fake.given).toEqual([]);
  });

  it.each([
    [new SourceError("no such file"), /^rule-lint: no such file\n$/],
    [new TypeError("oops"), /^rule-lint: TypeError: oops\n\s+at /],
  ])("that ends with %s says so", async (error, err) => {
    fake.check = () => Promise.reject(error);
    expect(await run()).toEqual({ status: 2, out: "", err: expect.stringMatching(err) });
    expect(fake.shown).toEqual(["0 of 3", "-"]);
  });
});

describe("a question to the chain", () => {
  it.each<[object, unknown, string[]]>([
    [{ "http://a": ["x"], "http://b": ["y"] }, ["x"], ["http://a"]],
    [{ "http://a": "timeout", "http://b": ["y"] }, ["y"], ["http://a", "http://b"]],
    [{ "http://a": "timeout", "http://b": "unusable" }, "unusable", ["http://a", "http://b"]],
  ])("of endpoints that say %j is answered by %j", async (answers, answer, asked) => {
    fake.answers = answers as Record<string, unknown>;
    await run("--rpc", "http://a", "--rpc", "http://b");
    const { ask } = fake.given[1] as { ask(calls: object[]): Promise<unknown> };
    expect(await ask([])).toEqual(answer);
    expect(fake.asked).toEqual(asked.map((url) => [url, 20_000]));
  });
});
