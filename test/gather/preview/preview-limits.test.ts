import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMessagePreviewer } from "../../../src/gather/preview/message-preview.ts";
import { createPreviewer, createPreviewMemory } from "../../../src/gather/preview/preview.ts";
import type { PreviewAnswer } from "../../../src/gather/preview/preview-answer.ts";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const alice = toAddress(`0x${"a1".repeat(20)}`);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Endpoints that never answer, and the signals under which they are asked. */
function silentPool(endpoints: object[] = []) {
  const signals: AbortSignal[] = [];
  const tryEach = (_work: unknown, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
  };
  return { pool: { endpoints, tryEach }, signals };
}

const previews = (endpoints?: object[]) => {
  const { pool, signals } = silentPool(endpoints);
  const previewer = createPreviewer({ pool, stages: {}, l1FeeOracle: null } as never);
  const ask = (i: number) => previewer.preview(readPreviewRequest({ from: alice, to: alice, value: i }));
  return { ask, signals };
};
const messages = () => {
  const { pool, signals } = silentPool();
  const options = { pool, plan: () => ({}), lookUp: () => ({}), decide: () => ({ explanation: {} }) };
  const previewer = createMessagePreviewer(options as never);
  return { ask: (i: number) => previewer.explain({ from: alice, typed_data: i }), signals };
};

describe.each([
  ["transactions", previews],
  ["messages", messages],
] as const)("a previewer of %s that is told no limits", (_name, build) => {
  it("has eight seconds for each", async () => {
    const { ask, signals } = build();
    const asked = Promise.allSettled([ask(1)]);
    await pass(7_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await pass(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await asked;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("works on 32 at once, lets 128 wait, and refuses more", async () => {
    const { ask, signals } = build();
    const codes: unknown[] = [];
    for (let i = 0; i < 32 + 128 + 2; i++) void ask(i).catch((error: ServiceError) => codes.push(error.code));
    await pass(0);
    expect([signals.length, codes]).toEqual([32, ["overloaded", "overloaded"]]);
  });
});

describe("a preview that no endpoint answers", () => {
  const troubled = (name: string, ...reasons: string[]) => ({
    health: { report: () => ({ name, troubles: reasons.map((reason) => ({ reason })) }) },
  });

  it.each<[object[], string]>([
    [[troubled("a.example", "timeout"), troubled("b.example")], "No chain source answered: a.example: timeout."],
    [[troubled("a.example")], "No chain source answered in time."],
  ])("says what is wrong with whom, where it is known: %#", async (endpoints, message) => {
    const { ask } = previews(endpoints);
    const asked = ask(1).catch((error: ServiceError) => error);
    await pass(8_000);
    const error = (await asked) as ServiceError;
    expect([error.code, error.message, error.retryAfterSeconds]).toEqual(["upstream_unavailable", message, 5]);
  });
});

it("previews are remembered by the bytes of answer and case", () => {
  const hash = `0x${"7".repeat(64)}` as Hash;
  const caseFile = { block: { hash }, price: { status: "found" }, tokens: {}, reads: [], more: "" };
  const rest = JSON.stringify(caseFile).length;
  const kept = (bytes: number, more: number) => {
    const memory = createPreviewMemory({ now: () => 1_000 });
    const answer = { body: Buffer.alloc(bytes), caseFile: { ...caseFile, more: "x".repeat(more) } };
    memory.keep("a", answer as unknown as PreviewAnswer);
    return memory.onBlock("a", hash) !== undefined;
  };
  const free = serviceLimits.previewCacheBytes - 1024 - 2 * rest;
  const body = Math.floor(free / 9) - 1;
  const more = Math.floor((free - body * 9) / 2);
  expect([kept(body, more), kept(body, more + 1), kept(body + 1, more)]).toEqual([true, false, false]);
});
