import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { version } from "../../../src/engine/build-engine.ts";
import type { Answer } from "../../../src/gather/explain/explain.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import { pictureFile } from "../../../src/serve/picture/picture.ts";
import type { Config } from "../../../src/serve/settings/config.ts";
import { formatEvidence, formatExplanation } from "../../../src/tools/cli/answer-text.ts";
import { type CoverageReport, formatCoverage } from "../../../src/tools/cli/coverage.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";
import { runHere as run } from "./run-here.ts";

/** The questions to an explainer and to commands in other files, what is shown meanwhile, and the explainer itself. */
const fake = vi.hoisted(() => ({
  ...{ asked: [] as unknown[], shown: [] as string[] },
  ...{ explainer: {} as object, engine: {} as object },
}));
vi.mock("../../../src/tools/cli/progress.ts", async (original) => ({
  ...(await original<object>()),
  openProgress: () => ({ show: (text: string) => void fake.shown.push(text), clear() {} }),
}));
vi.mock("../../../src/engine/engine.ts", async (original) => ({
  ...(await original<object>()),
  openEngine: () => fake.engine,
}));
vi.mock("../../../src/tools/audit/known-contracts.ts", () => ({ knowledgeOf: () => ({}) }));
vi.mock("../../../src/tools/audit/audit.ts", () => ({
  auditAnswer: ({ tx_hash }: CaseFile, { summary }: Explanation) => [{ law: 3, sentence: `${tx_hash} ${summary}` }],
  statementLines: () => ["a statement"],
}));
vi.mock("../../../src/tools/cli/coverage.ts", async (original) => ({
  ...(await original<object>()),
  async measureFolder(_dir: string, engine: object, progress: (done: number, all: number) => void) {
    fake.asked.push(engine === fake.engine);
    progress(0, 2);
    vi.setSystemTime(Date.now() + 1_000);
    progress(1, 2);
    return covered;
  },
}));
vi.mock("../../../src/tools/cli/explainer.ts", async (original) => ({
  ...(await original<object>()),
  async withExplainer(config: Config, use: (explainer: object, engine: object) => Promise<unknown>) {
    fake.asked.push([config.recordingsDir, config.rpcUrls.join()]);
    return use(fake.explainer, fake.engine);
  },
}));
vi.mock("../../../src/tools/cli/volume/filter.ts", () => ({
  async filterLines(command: object, { config, asks }: { config: Config; asks: boolean }) {
    fake.asked.push([command, config.recordingsDir, config.rpcUrls.join(), asks]);
    return { text: "", report: "told\n" };
  },
}));
vi.mock("../../../src/tools/cli/import-erc7730.ts", () => ({
  runImport: ({ path }: { path: string }) => ({ text: `from ${path}\n`, report: "left out\n", status: 1 }),
}));

const dir = mkdtempSync(join(tmpdir(), "txgloss-commands-"));
afterAll(() => rmSync(dir, { recursive: true }));
const [hash, other] = [hashOf(1), hashOf(2)];
const casePath = join(dir, "case.json");
writeFileSync(casePath, JSON.stringify(caseFileOf(hash)));
const [explanation, evidence] = [explanationOf(hash), evidenceOf()];
const answer = { explanation, evidence, body: Buffer.from('{"a":1}') } as unknown as Answer;
const text = formatExplanation(explanation);
const why = formatEvidence(evidence);
const json = JSON.stringify(evidence);
const covered: CoverageReport = {
  ...{ cases: 1, typed: 1, partial: 0, movements: null, calls: null, types: {}, unexplained: [] },
  unreadable: [
    { file: "a", problem: "no" },
    { file: "b", problem: "never" },
  ],
};

beforeEach(() => {
  vi.stubEnv("RECORDINGS_DIR", dir);
  vi.stubEnv("RPC_URLS", "http://settings");
  onTestFinished(() => void vi.unstubAllEnvs());
  const unknown = async (): Promise<never> => {
    throw new ServiceError("transaction_not_found", "not there");
  };
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  Object.assign(fake, { asked: [], shown: [] });
  fake.engine = { decide: () => ({ explanation, pictureFacts: pictureFactsOf }), catalog: { protocols: [] } };
  fake.explainer = {
    readHead: async () => void fake.asked.push("head"),
    examine: async (of: string) => {
      fake.asked.push(of);
      return { answer, caseFile: caseFileOf(hash) };
    },
    replay: async ({ tx_hash }: { tx_hash: string }) => {
      fake.asked.push(`replay ${tx_hash}`);
      return answer;
    },
    async gather(of: string) {
      vi.setSystemTime(Date.now() + 1_000);
      return of === other ? unknown() : caseFileOf(hashOf(3));
    },
    previewer: {
      preview: async ({ value }: { value: bigint }) => ({ preview: {}, evidence: {}, body: `of ${value}` }),
    },
    messages: { explain: async () => ({ message: {}, body: "of a message" }) },
  };
});

const done = (out: string) => ({ out, err: "", status: 0 });

describe("explain", () => {
  it.each<[string[], string]>([
    [[], text],
    [["--why"], `${text}\n${why}`],
    [["--json"], '{"a":1}\n'],
    [["--json", "--why"], `{"a":1}\n${json}\n`],
  ])("prints with %j", async (options, out) => {
    expect(await run("explain", hash, ...options)).toEqual(done(out));
    expect(fake.asked).toEqual([[dir, "http://settings"], "head", hash]);
    expect(fake.shown).toEqual([`Explaining ${hash}`]);
  });

  it("asks the endpoints of its own instead of recordings, and then for no head", async () => {
    await run("explain", hash, "--rpc", "http://a,http://b");
    expect(fake.asked).toEqual([[null, "http://a,http://b"], hash]);
  });

  it("answers lines by the settings, or by endpoints of its own", async () => {
    expect(await run("explain", "-", "--why")).toEqual({ out: "", err: "told\n", status: 0 });
    await run("explain", "-", "--threads", "2", "--rpc", "http://a");
    const form = { why: true, resume: null, threads: null };
    expect(fake.asked).toEqual([
      [expect.objectContaining(form), dir, "http://settings", true],
      [expect.objectContaining({ why: false, resume: null, threads: 2 }), null, "http://a", true],
    ]);
  });
});

describe("replay", () => {
  it.each<[string[], string]>([
    [[], text],
    [["--json", "--why"], `{"a":1}\n${json}\n`],
  ])("prints with %j, and takes no recording for the case", async (options, out) => {
    expect(await run("replay", casePath, ...options)).toEqual(done(out));
    expect(fake.asked).toEqual([[null, "http://settings"], `replay ${hash}`]);
  });

  it("answers lines", async () => {
    await run("replay", "-", "--resume", "out");
    expect(fake.asked).toEqual([[expect.objectContaining({ resume: "out" }), dir, "http://settings", false]]);
  });

  it.each([
    ["replay", casePath],
    ["explain", hash],
  ])("draws as %s of %s does, where it is asked to", async (...args) => {
    const path = join(dir, "a.svg");
    rmSync(path, { force: true });
    expect(await run(...args, "--svg", path)).toEqual(done(text));
    expect(readFileSync(path, "utf8")).toBe(pictureFile({ explanation, facts: pictureFactsOf() }));
  });
});

describe("preview", () => {
  const [from, to] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
  const request = join(dir, "request.json");

  it("tells of a transaction, of a file whose fields the command line may replace", async () => {
    expect(await run("preview", "--from", from, "--to", to, "--value", "5", "--json")).toEqual(done("of 5\n"));
    writeFileSync(request, JSON.stringify({ from, to, value: "7" }));
    expect(await run("preview", request, "--json", "--why")).toEqual(done("of 7\n{}\n"));
    expect(await run("preview", request, "--value", "8", "--json", "--rpc", "http://a")).toEqual(done("of 8\n"));
    expect(fake.asked).toEqual([
      [null, "http://settings"],
      [null, "http://settings"],
      [null, "http://a"],
    ]);
  });

  it("tells of a message", async () => {
    writeFileSync(request, JSON.stringify({ from, typed_data: {} }));
    expect(await run("preview", request, "--json")).toEqual(done("of a message\n"));
    expect(fake.shown).toEqual(["Simulating"]);
  });
});

describe("record", () => {
  it("writes one file after the other, and goes on behind one that is not there", async () => {
    const path = join(dir, `${hashOf(3)}.json`);
    expect(await run("record", hash, other, hashOf(3))).toEqual({
      out: `${path}\n${path}\n`,
      err: `txgloss: ${other}: not there\nCheck the hash. A transaction that was sent a moment ago is known in a few seconds.\n`,
      status: 1,
    });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(caseFileOf(hashOf(3)));
    expect(fake.asked).toEqual([[null, "http://settings"]]);
    expect(fake.shown).toEqual([
      "Recording 0 of 3",
      "Recording 1 of 3, 1 a second, 2 s left",
      "Recording 2 of 3, 1 a second, 1 s left",
    ]);
  });

  it("writes into the folder that is named", async () => {
    const more = join(dir, "more");
    const { out } = await run("record", hash, "--dir", more);
    expect(out).toBe(`${join(more, `${hashOf(3)}.json`)}\n`);
  });
});

describe("coverage", () => {
  const err = "txgloss: a: no\ntxgloss: b: never\n";
  it.each<[string[], string]>([
    [[], formatCoverage(covered)],
    [["--json"], `${JSON.stringify(covered)}\n`],
  ])("tells with %j how much is explained, and which files cannot be read", async (options, out) => {
    expect(await run("coverage", dir, ...options)).toEqual({ out, err, status: 0 });
    expect(fake.asked).toEqual([true]);
    expect(fake.shown).toEqual(["Explaining 0 of 2", "Explaining 1 of 2, 1 a second, 1 s left"]);
  });
});

describe("other commands", () => {
  it("print help and the version", async () => {
    expect(await run("--version")).toEqual(done(`${version}\n`));
    expect((await run("help")).out).toMatch(/^txgloss explains Base transactions/);
    expect((await run("replay", "--help")).out).toMatch(/^usage: {2}txgloss replay /);
  });

  it("print reports to stderr, and end with their own status", async () => {
    const ended = { out: "from x.json\n", err: "left out\n", status: 1 };
    expect(await run("import-erc7730", "x.json")).toEqual(ended);
    const told = `${explanation.summary}\n  a statement\nlaw 3: ${hash} ${explanation.summary}\n`;
    expect(await run("audit", casePath)).toEqual({ out: told, err: "", status: 1 });
  });

  it.each<[string[], string, number]>([
    [[], "txgloss: a command is missing\ntxgloss --help says more.\n", 2],
    [["replay"], "txgloss: expected one case file\ntxgloss replay --help says more.\n", 2],
    [
      ["explain", "0x12"],
      'txgloss: "0x12" is not 0x followed by 64 hex digits, nor a link with them\ntxgloss explain --help says more.\n',
      2,
    ],
    [["replay", join(dir, "none")], `txgloss: there is no ${join(dir, "none")}\n`, 2],
  ])("tell of %j what was wrong", async (args, err, status) => {
    expect(await run(...args)).toEqual({ out: "", err, status });
  });
});
