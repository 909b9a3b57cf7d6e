import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDeadline, unlessAborted } from "../../src/kernel/abort.ts";
import { assert, ServiceError } from "../../src/kernel/error.ts";
import { createLogger, describeCause, type LogLevel } from "../../src/kernel/logger.ts";
import { andThen, guard } from "../../src/kernel/maybe-promise.ts";
import { readNetworks } from "../../src/kernel/network.ts";
import { createProbe } from "../../src/kernel/probe.ts";

describe("work under a signal", () => {
  const never = new Promise<string>(() => {});

  it("gives what it gives, and without a signal is itself", async () => {
    const work = Promise.resolve("done");
    expect(unlessAborted(work, undefined, () => "instead")).toBe(work);
    expect(await unlessAborted(work, new AbortController().signal, () => "instead")).toBe("done");
    await expect(
      unlessAborted(Promise.reject(new Error("bad")), new AbortController().signal, () => "instead"),
    ).rejects.toThrow("bad");
  });

  it("gives something else where the signal fires, or has fired", async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(never, controller.signal, () => "instead");
    controller.abort();
    expect(await waiting).toBe("instead");
    expect(await unlessAborted(never, controller.signal, () => "instead")).toBe("instead");
  });

  it("lets go of the signal at its end", async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await unlessAborted(Promise.resolve(1), signal, () => 2);
    expect(add.mock.calls.map(([, listener]) => listener)).toEqual(remove.mock.calls.map(([, listener]) => listener));
    expect(add).toHaveBeenCalledTimes(1);
  });
});

describe("a deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("fires when its time is up, not before", () => {
    const { signal } = openDeadline(50);
    vi.advanceTimersByTime(49);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([signal.aborted, signal.reason.name, signal.reason.message]).toEqual([
      true,
      "TimeoutError",
      "The time is up.",
    ]);
  });

  it("fires with the outer signal and for its reason", () => {
    const outer = new AbortController();
    const { signal } = openDeadline(50, outer.signal);
    expect(signal.aborted).toBe(false);
    outer.abort("because");
    expect([signal.aborted, signal.reason]).toEqual([true, "because"]);
    expect(openDeadline(50, outer.signal).signal.reason).toBe("because");
  });

  it("alone keeps no process alive", () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    openDeadline(50);
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    timers.mockRestore();
  });

  it("leaves nothing behind when it is ended", () => {
    const outer = new AbortController();
    const remove = vi.spyOn(outer.signal, "removeEventListener");
    const deadline = openDeadline(50, outer.signal);
    expect(vi.getTimerCount()).toBe(1);
    deadline.end();
    expect([deadline.signal.aborted, deadline.signal.reason.name]).toEqual([true, "AbortError"]);
    expect(vi.getTimerCount()).toBe(0);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});

describe("a value that may be a promise", () => {
  it("is handed on at once where it is there", async () => {
    expect(andThen(2, (n) => n + 1)).toBe(3);
    expect(await andThen(Promise.resolve(2), (n) => n + 1)).toBe(3);
  });

  it("is replaced where the work throws or rejects", async () => {
    const fail = (): number => {
      throw new Error("bad");
    };
    expect(
      guard(
        () => 1,
        () => 2,
      ),
    ).toBe(1);
    expect(guard(fail, (thrown) => (thrown as Error).message.length)).toBe(3);
    expect(
      await guard(
        () => Promise.resolve(1),
        () => 2,
      ),
    ).toBe(1);
    expect(
      await guard(
        () => Promise.reject(new Error("worse")),
        (thrown) => (thrown as Error).message.length,
      ),
    ).toBe(5);
  });
});

describe("a failure", () => {
  it("has the status and the meaning of its code", () => {
    const cause = new Error("deeper");
    const plain = new ServiceError("not_found");
    expect({ ...plain, message: plain.message }).toEqual({
      name: "ServiceError",
      code: "not_found",
      status: 404,
      retryable: false,
      retryAfterSeconds: undefined,
      message: "There is no such path.",
    });
    const own = new ServiceError("overloaded", "busy", { retryAfterSeconds: 3, cause });
    expect([own.message, own.status, own.retryable, own.retryAfterSeconds, own.cause]).toEqual([
      "busy",
      503,
      true,
      3,
      cause,
    ]);
  });

  it("of our own code says what does not hold", () => {
    expect(() => assert(0, "one is one")).toThrow("assertion failed: one is one");
    expect(() => assert(1, "one is one")).not.toThrow();
  });
});

describe("the log", () => {
  it.each<[LogLevel, string[]]>([
    ["silent", []],
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ])("of level %s has lines of %j", (level, expected) => {
    const lines: string[] = [];
    const logger = createLogger(level, (line) => lines.push(line));
    for (const name of ["error", "warn", "info", "debug"] as const) logger[name]({ event: "x", n: 1 });
    const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(read.map((line) => line.level)).toEqual(expected);
    for (const { time, level: _, ...rest } of read) {
      expect(rest).toEqual({ event: "x", n: 1 });
      expect(new Date(time as string).toISOString()).toBe(time);
    }
    expect(lines.every((line) => line.endsWith("}\n"))).toBe(true);
  });

  it("has of a cause its stack and no secrets of addresses", () => {
    const error = new Error("at https://user:pass@node.example/v2/key?x=1 and postgresql://u:p@db:5432/x", {
      cause: "because of http://[broken/key",
    });
    const text = describeCause(error);
    expect(text.startsWith("Error: at https://node.example and postgresql://db:5432\n    at ")).toBe(true);
    expect(text.endsWith("\ncaused by because of (an address)")).toBe(true);
    const bare = new Error("no stack");
    delete bare.stack;
    expect(describeCause(bare)).toBe("no stack");
    expect(describeCause(7)).toBe("7");
  });
});

describe("networks", () => {
  it("hold what they name, with both ends, and nothing beside it", () => {
    const list = readNetworks(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "fe80::1", "loopback"]);
    const inside = ["10.0.0.0", "10.255.255.255", "192.0.2.7", "127.0.0.1", "127.255.255.255"];
    const outside = ["9.255.255.255", "11.0.0.0", "192.0.2.8", "128.0.0.0"];
    expect([...inside, ...outside].filter((address) => list.check(address, "ipv4"))).toEqual(inside);
    const inside6 = ["2001:db8::1", "fe80::1", "::1"];
    expect([...inside6, "2001:db9::1", "fe80::2", "::2"].filter((address) => list.check(address, "ipv6"))).toEqual(
      inside6,
    );
    expect(readNetworks([]).check("127.0.0.1")).toBe(false);
    expect(readNetworks(["0.0.0.0/0", "10.0.0.0/32"]).check("203.0.113.9")).toBe(true);
    expect(readNetworks(["::/128"]).check("::1", "ipv6")).toBe(false);
  });

  it.each(["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/x", "10.0.0", "localhost", ""])(
    "are not %j",
    (text) => {
      expect(() => readNetworks(["loopback", text])).toThrow(
        `${JSON.stringify(text)} is no IP address, no network such as 10.0.0.0/8 and not "loopback".`,
      );
    },
  );
});

describe("a probe", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("asks again only when its answer is old", async () => {
    let now = 1000;
    const answers = [1, null, 3];
    let asked = 0;
    const probe = createProbe(async () => answers[asked++] as number | null, 0, {
      freshMs: 100,
      waitMs: 10,
      now: () => now,
    });
    expect([await probe(), asked]).toEqual([1, 1]);
    now += 99;
    expect([await probe(), asked]).toEqual([1, 1]);
    now += 1;
    expect([await probe(), asked]).toEqual([1, 2]);
    now += 100;
    expect([await probe(), asked]).toEqual([3, 3]);
  });

  it("gives the last answer where the source fails or is slow, and does not ask a second time meanwhile", async () => {
    let now = 0;
    let asked = 0;
    let answer = (_: number) => {};
    const probe = createProbe(
      () => {
        asked++;
        if (asked === 1) return Promise.reject(new Error("down"));
        return new Promise<number>((resolve) => {
          answer = resolve;
        });
      },
      7,
      { freshMs: 100, waitMs: 10, now: () => now },
    );
    expect(await probe()).toBe(7);
    now = 100;
    const slow = probe();
    await vi.advanceTimersByTimeAsync(9);
    let settled = false;
    void slow.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await slow).toBe(7);
    now = 300;
    expect([await probe(), asked]).toEqual([7, 2]);
    answer(9);
    await vi.advanceTimersByTimeAsync(0);
    now = 199;
    expect([await probe(), asked]).toEqual([9, 2]);
  });
});
