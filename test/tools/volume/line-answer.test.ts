import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { WholeEngine } from "../../../src/engine/engine.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { type Config, readConfig } from "../../../src/serve/settings/config.ts";
import { answerBlock, openLineAnswerer } from "../../../src/tools/volume/line-answer.ts";
import { LineError } from "../../../src/tools/volume/line-error.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

/** The explainers that were opened, and the questions to them. */
const fake = vi.hoisted(() => ({
  opened: [] as Config[],
  asked: [] as string[],
  open: 0,
  openMost: 0,
}));
vi.mock("../../../src/serve/start/open-explainer.ts", () => ({
  openExplainer: (config: Config) => {
    fake.opened.push(config);
    return {
      start: () => fake.asked.push("start"),
      readHead: async () => void fake.asked.push("head"),
      async explain(hash: string) {
        fake.openMost = Math.max(fake.openMost, ++fake.open);
        fake.asked.push(hash);
        await Promise.resolve();
        fake.open--;
        // What is not of the network is recorded.
        const source = hash === hashOf(1) ? "recording" : "network";
        return { source, body: Buffer.from(`{"of":"${hash}"}`), explanation: { of: hash }, evidence: { why: 1 } };
      },
    };
  },
}));
beforeEach(() => {
  Object.assign(fake, { opened: [], asked: [], open: 0, openMost: 0 });
});

const decide = ({ tx_hash }: { tx_hash: string }) => ({ explanation: { case: tx_hash }, evidence: () => ({ why: 2 }) });
const engine = { decide } as unknown as WholeEngine;

function openHere({ asks = false, evidence = false, threads = 1, env = {} as Record<string, string> } = {}) {
  const config = readConfig({ RECORDINGS_DIR: "", ...env });
  return openLineAnswerer({ config, asks, evidence, threads }, engine);
}

/** A folder with the recording of one transaction. */
function record(): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-lines-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, `${hashOf(1)}.json`), JSON.stringify(caseFileOf(hashOf(1))));
  return dir;
}

const [hash] = [hashOf(1)];
const caseLine = JSON.stringify(caseFileOf(hash));

describe("a line with a case", () => {
  it.each([
    [false, { case: hash }],
    [true, { case: hash, evidence: { why: 2 } }],
  ])("is answered by the engine, with evidence: %s", (evidence, answer) => {
    for (const asks of [false, true])
      expect(openHere({ asks, evidence }).answer(caseLine)).toEqual({ text: JSON.stringify(answer), recorded: false });
    expect(fake.opened).toEqual([]);
  });
});

describe("a line with a hash, where nobody is asked", () => {
  it("is answered from the recordings", async () => {
    const answerer = openHere({ env: { RECORDINGS_DIR: record() } });
    // Recordings are its only source, so the use of one is not reported.
    expect(await answerer.answer(hash)).toEqual({ text: JSON.stringify({ case: hash }), recorded: false });
    const unknown = { code: "not_recorded", message: "There is no recording of this transaction." };
    await expect(answerer.answer(hashOf(2))).rejects.toMatchObject(unknown);
    await expect(openHere().answer(hash)).rejects.toMatchObject(unknown);
    expect(fake.opened).toEqual([]);
  });
});

describe("a line with a hash, where endpoints are asked", () => {
  it("is the body of the answer, or the answer with its evidence, and it is told where that rests on a recording", async () => {
    const other = hashOf(2);
    const withEvidence = openHere({ asks: true, evidence: true });
    for (const [asked, recorded] of [
      [hash, true],
      [other, false],
    ] as const) {
      expect(await openHere({ asks: true }).answer(asked)).toEqual({ text: `{"of":"${asked}"}`, recorded });
      const text = `{"of":"${asked}","evidence":{"why":1}}`;
      expect(await withEvidence.answer(asked)).toEqual({ text, recorded });
    }
  });

  it("opens one explainer for all, and asks for the head where there are recordings", async () => {
    const answerer = openHere({ asks: true, env: { RECORDINGS_DIR: record() } });
    await Promise.all([answerer.answer(hash), answerer.answer(hashOf(2))]);
    expect([fake.opened.length, fake.asked]).toEqual([1, ["start", "head", hash, hashOf(2)]]);
    fake.asked = [];
    await openHere({ asks: true }).answer(hash);
    expect(fake.asked).toEqual(["start", hash]);
  });

  it.each([
    [1, { runningMax: 7, waitingMax: 9, clientMax: 8 }, 5, 4_000_000],
    [2, { runningMax: 3, waitingMax: 9, clientMax: 8 }, 2, 2_000_000],
    [7, { runningMax: 1, waitingMax: 9, clientMax: 8 }, 1, 571_428],
    [100, { runningMax: 1, waitingMax: 9, clientMax: 8 }, 1, 40_000],
  ])("of %i threads has its share of what may be done at once", async (threads, work, endpointSockets, cacheBytes) => {
    const env = {
      ...{ GATHERINGS_MAX: "7", GATHERINGS_WAITING: "9", ENDPOINT_SOCKETS: "5", CACHE_BYTES: "4000000" },
    };
    const answerer = openHere({ asks: true, threads, env });
    await Promise.all(Array.from({ length: 20 }, (_, i) => answerer.answer(hashOf(i + 1))));
    expect(fake.opened).toEqual([{ ...readConfig({ RECORDINGS_DIR: "", ...env }), work, endpointSockets, cacheBytes }]);
    expect(fake.openMost).toBe(work.runningMax);
  });
});

describe("the lines of a block", () => {
  it("are answered in order, empty ones by nothing, failures in their place", async () => {
    const bytes = Buffer.from(`a\n\n\r\nlate\nbad\n${hash}\nfails late\n`);
    const answerer = {
      answer(line: string) {
        if (line === "late") return Promise.resolve({ text: "LATE", recorded: true });
        if (line === "bad") throw new LineError("invalid_line", "no");
        if (line === hash) throw new LineError("not_recorded", "no");
        if (line === "fails late") return Promise.reject(new ServiceError("overloaded", "wait"));
        return { text: line.toUpperCase(), recorded: false };
      },
    };
    const answer = await answerBlock({ first: 11, bytes }, answerer);
    const told = Buffer.from(answer.bytes).toString().split("\n");
    expect([answer.answers, answer.failures, answer.recorded, told.length, told.at(-1)]).toEqual([5, 3, 1, 6, ""]);
    expect(told.slice(0, 2)).toEqual(["A", "LATE"]);
    expect(told.slice(2, 5).map((line) => JSON.parse(line))).toEqual([
      { error: "invalid_line", message: "no", retryable: false, line: 15, tx_hash: null },
      { error: "not_recorded", message: "no", retryable: false, line: 16, tx_hash: hash },
      { error: "overloaded", message: "wait", retryable: true, line: 17, tx_hash: null },
    ]);
    const nothing = await answerBlock({ first: 1, bytes: Buffer.from("\n\r\n") }, answerer);
    expect(nothing).toEqual({ bytes: new Uint8Array(), answers: 0, failures: 0, recorded: 0 });
  });
});
