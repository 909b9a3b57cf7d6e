import { describe, expect, it } from "vitest";
import { createWorkQueue } from "../../../src/gather/explain/work-queue.ts";
import { ServiceError } from "../../../src/kernel/error.ts";

const signal = () => new AbortController().signal;
const codeOf = (run: Promise<unknown>) => run.catch((error: ServiceError) => error.code);

describe("a queue of works", () => {
  it("starts nothing whose signal has fired, and says why", async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 1 });
    let started = 0;
    const work = async () => ++started;
    const closed = new ServiceError("upstream_unavailable");
    expect(await codeOf(queue.run(work, AbortSignal.abort()))).toBe("overloaded");
    expect(await codeOf(queue.run(work, AbortSignal.abort(closed)))).toBe("upstream_unavailable");
    expect([started, queue.load()]).toEqual([0, { running: 0, waiting: 0 }]);
    expect(await queue.run(work, signal())).toBe(1);
  });

  it("gives a free place to the longest waiting caller, and refuses callers without room to wait", async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 2 });
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const enter = (name: string, until?: Promise<void>) =>
      queue.run(async () => {
        order.push(name);
        await until;
      }, signal());
    const runs = [enter("first", first.promise), enter("second"), enter("third")];
    expect(await codeOf(enter("fourth"))).toBe("overloaded");
    expect([order, queue.load()]).toEqual([["first"], { running: 1, waiting: 2 }]);
    first.resolve();
    await Promise.all(runs);
    expect([order, queue.load()]).toEqual([["first", "second", "third"], { running: 0, waiting: 0 }]);
  });

  it("drops callers that leave while waiting, and passes a place on after a failure", async () => {
    const queue = createWorkQueue({ runningMax: 1, waitingMax: 2 });
    const first = Promise.withResolvers<never>();
    const failed = codeOf(queue.run(() => first.promise, signal()));
    const leaving = new AbortController();
    const left = codeOf(queue.run(async () => "left", leaving.signal));
    const last = queue.run(async () => "last", signal());
    leaving.abort();
    expect([await left, queue.load()]).toEqual(["overloaded", { running: 1, waiting: 1 }]);
    first.reject(new ServiceError("transaction_not_found"));
    expect([await failed, await last]).toEqual(["transaction_not_found", "last"]);
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });
});
