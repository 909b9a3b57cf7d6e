import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDeadline, unlessAborted } from "../../src/kernel/abort.ts";

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
