import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExplainerOptions } from "../../../src/gather/explain/explain.ts";
import { createWorkQueue } from "../../../src/gather/explain/work-queue.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { type Deferred, defer } from "../../support/deferred.ts";
import { explainerOver } from "../../support/explainer.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";

/** An explainer whose gatherings end when the test says so. */
function build(options: Partial<ExplainerOptions> = {}) {
  const gathering = new Map<Hash, Deferred<void>>();
  const started: Hash[] = [];
  const explainer = explainerOver({
    gather: async (hash) => {
      const ready = defer<void>();
      gathering.set(hash, ready);
      started.push(hash);
      await ready.promise;
      return caseFileOf(hash);
    },
    decide: ({ tx_hash }) => ({
      explanation: explanationOf(tx_hash),
      evidence: () => evidenceOf(),
      pictureFacts: pictureFactsOf,
    }),
    work: { runningMax: 2, waitingMax: 3 },
    ...options,
  });
  return { explainer, gathering, started };
}

const overloaded = { code: "overloaded", status: 503, retryable: true, retryAfterSeconds: 5 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("an explainer under pressure", () => {
  it("works on a limited number, lets a limited number wait, refuses more at once, and serves the longest waiting first", async () => {
    const { explainer, gathering, started } = build();
    const [one, two, three, four] = [1, 2, 3, 4, 5].map((number) => explainer.explain(hashOf(number)));
    await turn();
    expect(started).toEqual([hashOf(1), hashOf(2)]);
    await expect(explainer.explain(hashOf(6))).rejects.toMatchObject(overloaded);
    gathering.get(hashOf(2))?.resolve();
    await two;
    await turn();
    expect(started).toEqual([1, 2, 3].map(hashOf));
    gathering.get(hashOf(1))?.resolve();
    gathering.get(hashOf(3))?.resolve();
    await Promise.all([one, three]);
    await turn();
    expect(started).toEqual([1, 2, 3, 4, 5].map(hashOf));
    gathering.get(hashOf(4))?.resolve();
    expect((await four)?.explanation.tx_hash).toBe(hashOf(4));
  });

  it("takes no place for callers of one transaction, but bounds them too", async () => {
    const { explainer, gathering, started } = build();
    const waiting = Array.from({ length: serviceLimits.callersMax }, () => explainer.explain(hashOf(1)));
    await turn();
    expect(started).toEqual([hashOf(1)]);
    await expect(explainer.explain(hashOf(1))).rejects.toMatchObject(overloaded);
    gathering.get(hashOf(1))?.resolve();
    const answers = new Set(await Promise.all(waiting));
    expect(answers.size).toBe(1);
  });

  it("gives the place of a caller that went away to the next, whether it waited or was worked on", async () => {
    const { explainer, started } = build();
    const gone = [new AbortController(), new AbortController(), new AbortController()];
    const places = [1, 2, 3].map((number, i) => explainer.explain(hashOf(number), gone[i]?.signal));
    const last = explainer.explain(hashOf(4));
    const shared = explainer.explain(hashOf(1));
    await turn();
    expect(started).toEqual([hashOf(1), hashOf(2)]);
    gone[2]?.abort();
    await expect(places[2]).rejects.toMatchObject({ status: 503 });
    // Somebody else still waits for the first one, so its place stays taken.
    gone[0]?.abort();
    await expect(places[0]).rejects.toMatchObject({ status: 503 });
    await turn();
    expect(started).toEqual([hashOf(1), hashOf(2)]);
    explainer.close();
    await expect(Promise.all([last, shared])).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("ends a gathering when no caller waits for it any more", async () => {
    const signals: AbortSignal[] = [];
    const ended = new Promise<void>((resolve) => {
      const { explainer } = build({
        stages: {
          fetch: (_hash, signal) =>
            new Promise((_, reject) => {
              signals.push(signal);
              signal.addEventListener("abort", () => {
                reject(new ServiceError("upstream_unavailable"));
                resolve();
              });
            }),
          plan: () => undefined as never,
          lookUp: async ({ draft }) => draft,
          decide: () => undefined as never,
        },
      });
      const gone = new AbortController();
      explainer.explain(hashOf(1), gone.signal).catch(() => {});
      setImmediate(() => gone.abort());
    });
    await ended;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("drops what waits beyond its deadline before it starts", async () => {
    const { explainer, started } = build({ deadlineMs: 30, work: { runningMax: 1, waitingMax: 5 } });
    const first = explainer.explain(hashOf(1));
    first.catch(() => {});
    const late = [2, 3].map((number) => explainer.explain(hashOf(number)));
    for (const refused of late) await expect(refused).rejects.toMatchObject(overloaded);
    expect(started).toEqual([hashOf(1)]);
  });

  it("answers by a recording where there is no place", async () => {
    const recordings = { find: (hash: Hash) => (hash === hashOf(9) ? Promise.resolve(caseFileOf(hash)) : undefined) };
    const { explainer } = build({ recordings, isOnline: () => true, work: { runningMax: 1, waitingMax: 0 } });
    const first = explainer.explain(hashOf(1));
    first.catch(() => {});
    await turn();
    expect(await explainer.explain(hashOf(9))).toMatchObject({ source: "recording" });
    await expect(explainer.explain(hashOf(8))).rejects.toMatchObject(overloaded);
    explainer.close();
  });
});

describe("createWorkQueue", () => {
  it("never runs or keeps more than it may, and gives every place back, no matter which calls come, end, fail or leave", async () => {
    type Step = { what: "come" | "end" | "fail" | "go"; which: number };
    const step: fc.Arbitrary<Step> = fc.record({
      what: fc.constantFrom("come", "come", "end", "fail", "go"),
      which: fc.nat(30),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(4),
        async (steps, runningMax, waitingMax) => {
          const queue = createWorkQueue({ runningMax, waitingMax });
          const running: Deferred<void>[] = [];
          const callers: AbortController[] = [];
          const all: Promise<unknown>[] = [];
          for (const { what, which } of steps) {
            const caller = new AbortController();
            const work = () => {
              const ready = defer<void>();
              running.push(ready);
              return ready.promise;
            };
            if (what === "come") {
              callers.push(caller);
              all.push(queue.run(work, caller.signal).catch(() => {}));
            }
            if (what === "go") callers[which % Math.max(1, callers.length)]?.abort();
            const [ending] =
              what === "end" || what === "fail" ? running.splice(which % Math.max(1, running.length), 1) : [];
            if (what === "end") ending?.resolve();
            if (what === "fail") ending?.reject(new Error("broken"));
            await turn();
            const load = queue.load();
            expect(load.running).toBe(running.length);
            expect(load.running).toBeLessThanOrEqual(runningMax);
            expect(load.waiting).toBeLessThanOrEqual(waitingMax);
            if (load.waiting > 0) expect(load.running).toBe(runningMax);
          }
          while (running.length > 0) {
            running.pop()?.resolve();
            await turn();
          }
          await Promise.all(all);
          expect(queue.load()).toEqual({ running: 0, waiting: 0 });
        },
      ),
      { numRuns: 60 },
    );
  });
});
