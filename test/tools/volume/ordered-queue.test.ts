import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { OrderedQueue } from "../../../src/tools/volume/ordered-queue.ts";

describe("a queue in order", () => {
  const taken = async <T>(queue: OrderedQueue<T>) => Readable.from(queue).toArray();

  it("gives what was put in first, first, whichever is done first", async () => {
    const queue = new OrderedQueue<number>(9);
    const first = Promise.withResolvers<number>();
    void queue.push(first.promise);
    void queue.push(Promise.resolve(2));
    queue.end();
    const all = taken(queue);
    first.resolve(1);
    expect(await all).toEqual([1, 2]);
    expect(await taken(queue)).toEqual([]);
  });

  it("lets whoever puts in wait while it is full, and says when nobody takes out any more", async () => {
    const queue = new OrderedQueue<number>(2);
    expect(await queue.push(Promise.resolve(1))).toBe(true);
    let pushed = false;
    const second = queue.push(Promise.resolve(2)).then((room) => {
      pushed = true;
      return room;
    });
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(pushed).toBe(false);
    const items = queue[Symbol.asyncIterator]();
    expect((await items.next()).value).toBe(1);
    const next = items.next();
    expect(await second).toBe(true);
    expect((await next).value).toBe(2);
    const full = [queue.push(Promise.resolve(3)), queue.push(Promise.resolve(4))];
    queue.fail(new Error("over"));
    queue.fail(new Error("later"));
    expect(await Promise.all(full)).toEqual([false, false]);
    expect((await items.next()).value).toBe(3);
    expect((await items.next()).value).toBe(4);
    await expect(items.next()).rejects.toThrow("over");
  });

  it("tells of a failure in its place", async () => {
    const queue = new OrderedQueue<number>(9);
    void queue.push(Promise.resolve(1));
    void queue.push(Promise.reject(new Error("no")));
    const items = queue[Symbol.asyncIterator]();
    expect((await items.next()).value).toBe(1);
    await expect(items.next()).rejects.toThrow("no");
  });
});
