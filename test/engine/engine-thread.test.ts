import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { largest } from "../../bench/support/large.ts";
import { openEngine } from "../../src/engine/engine.ts";
import { isLarge, openThreadedEngine, type ThreadedEngine } from "../../src/engine/engine-thread.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import { serviceLimits } from "../../src/kernel/limits.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { alice, bob, caseOf, frame, token, traced, transferLog } from "../support/case-of.ts";
import { root } from "../support/shared.ts";

const folders = { rulesDir: join(root, "rules"), labelsDir: join(root, "labels") };
const engine = openEngine(folders);
const opened: ThreadedEngine[] = [];
const open = (options: Parameters<typeof openThreadedEngine>[2]): ThreadedEngine => {
  const threaded = openThreadedEngine(engine, folders, options);
  opened.push(threaded);
  return threaded;
};
afterAll(() => {
  for (const one of opened) one.close();
});

/** Code of a thread that answers as a test wants. */
const entryOf = (code: string): URL => {
  const path = join(mkdtempSync(join(tmpdir(), "txgloss-thread-")), "entry.mjs");
  writeFileSync(
    path,
    `import { parentPort } from "node:worker_threads";\n${code}\nparentPort.postMessage({ what: "ready" });`,
  );
  return pathToFileURL(path);
};
const recorded = (name: string): CaseFile => JSON.parse(readFileSync(join(root, "test/transactions", name), "utf8"));
const bytesOf = ({ explanation, evidence }: Decision): string => JSON.stringify([explanation, evidence()]);
const failureOf = (answer: unknown) =>
  Promise.resolve(answer).then(
    () => undefined,
    (error: unknown) =>
      error instanceof ServiceError ? [error.code, (error.cause as Error | undefined)?.message] : error,
  );

describe("a threaded engine", () => {
  const names = [
    "0x13020b28e7f28558b9cf07a1be11bc898d3de99d8414a8b9a4e7b60a4e4cb7a3.json",
    "0xf0458b2c208fa7362669b6430277808a2bda527fcbe5dd3514a5879c445311cc.json",
  ];

  it("gives the same bytes from its thread, and the same plan", async () => {
    const threaded = open({ isLarge: () => true });
    for (const file of names.map(recorded)) {
      const there = threaded.decide(file);
      expect(there).toBeInstanceOf(Promise);
      expect(bytesOf(await there)).toBe(bytesOf(engine.decide(file)));
      expect(await threaded.planLookups(file, 8)).toEqual(engine.planLookups(file, 8));
      expect(await (await there).view(null)).toEqual(engine.decide(file).view(null));
    }
  });

  it("makes views of a case that it decided before others", async () => {
    const threaded = open({ isLarge: () => true });
    const [first, second] = await Promise.all(names.map(recorded).map((file) => threaded.decide(file)));
    const told = [await second?.view(null), await first?.view(null)];
    expect(told).toEqual(names.map((name) => engine.decide(recorded(name)).view(null)).reverse());
  });

  it("answers at once what is small", () => {
    const file = caseOf({ receipt: { logs: [transferLog(token, alice, bob, 1n)] } });
    expect(bytesOf(open({}).decide(file) as Decision)).toBe(bytesOf(engine.decide(file)));
    expect(open({}).planLookups(file)).toEqual(engine.planLookups(file));
  });

  it("fails as the engine in its thread fails, and answers the next case", async () => {
    const threaded = open({ isLarge: () => true });
    const broken = { ...caseOf({}), transaction: { ...caseOf({}).transaction, from: "nobody" } };
    expect(await failureOf(threaded.decide(broken))).toEqual(["internal", "not an address: nobody"]);
    expect((await threaded.decide(caseOf({}))).explanation).toEqual(engine.decide(caseOf({})).explanation);
  });

  it("replaces a thread that died: one case fails, those that waited are answered", async () => {
    const entry = entryOf(`parentPort.on("message", ({ draft }) => {
      if (draft.tx_hash === "dies") throw new Error("out of order");
      parentPort.postMessage({ what: "planned", plan: draft.tx_hash });
    });`);
    const threaded = open({ isLarge: () => true, entry });
    const cases = ["first", "dies", "last"].map((hash) => ({ ...caseOf({}), tx_hash: hash }) as unknown as CaseFile);
    const answers = cases.map((draft) => threaded.planLookups(draft) as Promise<unknown>);
    expect(await answers[0]).toBe("first");
    expect(await failureOf(answers[1])).toEqual(["internal", "out of order"]);
    expect(await answers[2]).toBe("last");
  });

  it("drops a case whose time is up before its turn, and none that it works on", async () => {
    const entry = entryOf(`const seen = [];
      parentPort.on("message", ({ draft }) => {
        seen.push(draft.tx_hash);
        parentPort.postMessage({ what: "planned", plan: seen });
      });`);
    const threaded = open({ isLarge: () => true, entry });
    const ask = (hash: string, signal?: AbortSignal) =>
      threaded.planLookups({ ...caseOf({}), tx_hash: hash } as unknown as CaseFile, 0, signal) as Promise<unknown>;
    expect(await ask("earlier")).toEqual(["earlier"]);
    const up = new AbortController();
    const [first, late, last] = [ask("first", up.signal), ask("late", up.signal), ask("last")];
    up.abort();
    expect(await failureOf(late)).toEqual(["overloaded", undefined]);
    expect(await first).toEqual(["earlier", "first"]);
    expect(await last).toEqual(["earlier", "first", "last"]);
    expect(await failureOf(ask("never", up.signal))).toEqual(["overloaded", undefined]);
  });

  it("takes no more than may wait, and ends what waits when it is closed", async () => {
    const threaded = open({ isLarge: () => true, entry: entryOf(`parentPort.on("message", () => {});`) });
    // The first runs, so one more than the limit finds room.
    const waiting = Array.from({ length: serviceLimits.largeWaitingMax + 1 }, () =>
      failureOf(threaded.decide(caseOf({}))),
    );
    expect(await failureOf(threaded.decide(caseOf({})))).toEqual(["overloaded", undefined]);
    threaded.close();
    expect(new Set((await Promise.all(waiting)).map(String))).toEqual(new Set(["upstream_unavailable,"]));
  });

  it("does not take an answer for another", async () => {
    const entry = entryOf(`parentPort.on("message", () => parentPort.postMessage({ what: "planned" }));`);
    const answer = open({ isLarge: () => true, entry }).decide(caseOf({}));
    expect(await failureOf(answer)).toEqual(["internal", "an answer to another question"]);
  });
});

describe("a case that is not decided", () => {
  it("may be asked for again after five seconds", async () => {
    const secondsOf = (answer: unknown) =>
      Promise.resolve(answer).then(
        () => undefined,
        (error: unknown) => (error as ServiceError).retryAfterSeconds,
      );
    const threaded = open({ isLarge: () => true, entry: entryOf(`parentPort.on("message", () => {});`) });
    const up = new AbortController();
    const [running, late] = [secondsOf(threaded.decide(caseOf({}))), secondsOf(threaded.decide(caseOf({}), up.signal))];
    up.abort();
    const never = secondsOf(threaded.planLookups(caseOf({}), 0, up.signal));
    expect(await Promise.all([late, never])).toEqual([5, 5]);
    threaded.close();
    expect(await running).toBe(5);
  });
});

describe("a large case", () => {
  it.each(largest.map(({ name, count, make }) => [name, make(count)] as const))("is one of %s", (_name, file) => {
    expect(isLarge(file)).toBe(true);
  });

  it.each([
    [
      "logs",
      {
        receipt: { logs: Array.from({ length: serviceLimits.hereLogsMax }, () => transferLog(token, alice, bob, 1n)) },
      },
    ],
    [
      "frames",
      {
        trace: traced(
          frame(alice, bob, {
            calls: Array.from({ length: serviceLimits.hereFramesMax - 1 }, () => frame(bob, alice)),
          }),
        ),
      },
    ],
    ["data", { transaction: { input: `0x${"00".repeat(serviceLimits.hereBytesMax - 1)}` } }],
  ] as [string, Parameters<typeof caseOf>[0]][])("is not one at the limit of %s", (_what, parts) => {
    expect(isLarge(caseOf(parts))).toBe(false);
  });
});
