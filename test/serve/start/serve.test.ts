import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../../../src/engine/engine.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import type { Access } from "../../../src/serve/access/open.ts";
import type { StopOptions } from "../../../src/serve/http/lifecycle.ts";
import type { ServerOptions } from "../../../src/serve/http/server.ts";
import type { catchTheRest } from "../../../src/serve/start/last-resort.ts";
import { serve } from "../../../src/serve/start/serve.ts";
import { paymentEnv } from "../../support/payment-env.ts";

/** The parts that are put together, and the calls to them. Other tests test the parts themselves. */
const parts = vi.hoisted(() => ({
  openEngine: vi.fn(),
  openExplainer: vi.fn(),
  explainer: { start: vi.fn(), close: vi.fn(), transport: "transport", health: () => [], readHead: () => null },
  createServer: vi.fn(),
  app: { listen: vi.fn(), server: { address: () => ({ port: 7123 }) } },
  addMcpEndpoint: vi.fn(),
  stopOnSignal: vi.fn(),
  stop: vi.fn(),
  catchTheRest: vi.fn(),
  openAccess: vi.fn(),
  writeGreeting: vi.fn(),
  lines: [] as string[],
}));
vi.mock("../../../src/engine/engine.ts", async (load) => ({ ...(await load<object>()), openEngine: parts.openEngine }));
vi.mock("../../../src/engine/engine-thread.ts", () => ({ openThreadedEngine: () => ({ decide: "decide" }) }));
vi.mock("../../../src/serve/start/open-explainer.ts", () => ({ openExplainer: parts.openExplainer }));
vi.mock("../../../src/serve/http/server.ts", () => ({ createServer: parts.createServer }));
vi.mock("../../../src/serve/mcp/endpoint.ts", () => ({ addMcpEndpoint: parts.addMcpEndpoint }));
vi.mock("../../../src/serve/http/lifecycle.ts", () => ({ stopOnSignal: parts.stopOnSignal }));
vi.mock("../../../src/serve/start/last-resort.ts", () => ({ catchTheRest: parts.catchTheRest }));
vi.mock("../../../src/serve/access/open.ts", () => ({ openAccess: parts.openAccess }));
vi.mock("../../../src/serve/start/greeting.ts", () => ({ writeGreeting: parts.writeGreeting }));
vi.mock("../../../src/serve/start/log-output.ts", () => ({
  createLogOutput: () => ({ write: (line: string) => parts.lines.push(line), dropped: () => 3 }),
}));

const exits: unknown[] = [];
const said: unknown[] = [];
const quits = { atOnce: true };
const earlier = process.stdout.listeners("error");

beforeEach(() => {
  vi.spyOn(process, "exit").mockImplementation(((code: number) => {
    exits.push(code);
    if (quits.atOnce) throw new Error(`exit ${code}`);
  }) as never);
  vi.spyOn(console, "error").mockImplementation((text) => void said.push(text));
  vi.spyOn(console, "log").mockImplementation((text) => void said.push(text));
  parts.openEngine.mockReturnValue({
    ...{ actionTypes: ["a"], catalog: {}, ruleset: "r", protocols: ["p"] },
    labels: { calendar: { blocks: "blocks" } },
  });
  parts.openExplainer.mockReturnValue(parts.explainer);
  parts.createServer.mockReturnValue(parts.app);
  parts.app.listen.mockImplementation(async () => "");
  parts.stopOnSignal.mockReturnValue(parts.stop);
  parts.catchTheRest.mockReturnValue({ rejections: 1, exceptions: 2 });
  parts.writeGreeting.mockResolvedValue("Listening.");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.clearAllMocks();
  for (const list of [exits, said, parts.lines]) list.splice(0);
  for (const listener of process.stdout.listeners("error"))
    if (!earlier.includes(listener)) process.stdout.off("error", listener as () => void);
  quits.atOnce = true;
});

function start(env: Record<string, string> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ HOST: "127.0.0.1", PORT: "7001", ...env })) vi.stubEnv(name, value);
  return serve();
}

const given = <T>(made: { mock: { calls: unknown[][] } }, at: number) => made.mock.calls[0]?.[at] as T;
const lastResort = () => given<Parameters<typeof catchTheRest>[0]>(parts.catchTheRest, 0);
const stopOptions = () => given<StopOptions>(parts.stopOnSignal, 1);
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("the service", () => {
  it("begins to ask, listens, and greets", async () => {
    await start();
    expect(parts.explainer.start).toHaveBeenCalledTimes(1);
    expect(parts.app.listen.mock.calls).toEqual([
      [{ host: "127.0.0.1", port: 7001, backlog: serviceLimits.backlogMax }],
    ]);
    expect([said, exits]).toEqual([["Listening."], []]);
    expect(given(parts.writeGreeting, 1)).toBe(7123);
    expect(parts.openAccess).not.toHaveBeenCalled();
    const options = given<ServerOptions>(parts.createServer, 0);
    expect(options.process?.()).toEqual({ log_lines_dropped: 3, rejections: 1, exceptions: 2 });
    expect([options.service.access, options.web?.protocols]).toEqual([null, ["p"]]);
    expect(parts.addMcpEndpoint).toHaveBeenCalledTimes(1);
    // Nobody may read what it says.
    expect(process.stdout.listeners("error").length).toBe(earlier.length + 1);
  });

  it("has no pages where none are wanted", async () => {
    await start({ WEB: "off" });
    expect(given<ServerOptions>(parts.createServer, 0).web).toBeNull();
  });

  it("exits with 1 when it cannot listen", async () => {
    parts.app.listen.mockRejectedValue(new Error("in use"));
    await expect(start()).rejects.toThrow("exit 1");
    expect(said).toEqual(["Cannot listen on 127.0.0.1:7001: in use"]);
  });

  it("exits with 2 when settings or rules are wrong, and lets other errors through", async () => {
    await expect(start({ PORT: "x" })).rejects.toThrow("exit 2");
    expect(said.splice(0)).toEqual([expect.stringContaining("PORT")]);
    parts.openEngine.mockImplementation(() => {
      throw new EngineError([]);
    });
    await expect(start()).rejects.toThrow("exit 2");
    expect(said.splice(0)).toEqual([expect.stringContaining("0 errors")]);
    parts.openEngine.mockImplementation(() => {
      throw new Error("broken");
    });
    await expect(start()).rejects.toThrow("broken");
    expect(exits).toEqual([2, 2]);
  });
});

describe("the end of the service", () => {
  it.each([
    [true, 0],
    [false, 1],
  ])("that is clean (%s) exits with %i", async (clean, code) => {
    await start();
    quits.atOnce = false;
    stopOptions().hurry();
    expect(parts.explainer.close).toHaveBeenCalledTimes(1);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stopOptions().stopped(clean);
    expect(parts.explainer.close).toHaveBeenCalledTimes(2);
    await soon();
    expect(exits).toEqual([code]);
  });

  it("after an error that nobody caught exits with 1", async () => {
    await start();
    lastResort().stop();
    expect([parts.stop.mock.calls.length, exits]).toEqual([1, []]);
    quits.atOnce = false;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stopOptions().stopped(true);
    await soon();
    expect(exits).toEqual([1]);
  });

  it("before it listened exits with 1 at once", async () => {
    parts.explainer.start.mockImplementationOnce(() => lastResort().stop());
    await expect(start()).rejects.toThrow("exit 1");
    expect(said).toEqual(["The service ended before it listened; the log says why."]);
  });

  it("waits for the ledger to close, half a second at most", async () => {
    const closing = Promise.withResolvers<void>();
    const access = { start: vi.fn(), close: vi.fn(() => closing.promise) };
    parts.openAccess.mockResolvedValue(access);
    await start(paymentEnv);
    quits.atOnce = false;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stopOptions().stopped(true);
    vi.advanceTimersByTime(499);
    await soon();
    expect([access.close.mock.calls.length, exits]).toEqual([1, []]);
    vi.advanceTimersByTime(1);
    expect(exits).toEqual([0]);
    closing.resolve();
    await soon();
    expect(exits).toEqual([0, 0]);
  });
});

describe("charging", () => {
  it("starts once the service listens", async () => {
    const access = { start: vi.fn(() => expect(parts.app.listen).toHaveBeenCalled()), close: vi.fn() };
    parts.openAccess.mockResolvedValue(access);
    await start(paymentEnv);
    expect(access.start).toHaveBeenCalledTimes(1);
    expect(given<object>(parts.openAccess, 0)).toMatchObject({ transport: "transport" });
    expect(given<ServerOptions>(parts.createServer, 0).service.access).toBe(access);
  });

  it("whose settings cannot work ends the start with 2; other errors go through", async () => {
    parts.openAccess.mockRejectedValue(Object.assign(new Error("Charging is not possible"), { name: "AccessError" }));
    await expect(start(paymentEnv)).rejects.toThrow("exit 2");
    expect(said).toEqual(["Charging is not possible"]);
    parts.openAccess.mockRejectedValue(new Error("broken"));
    await expect(start(paymentEnv)).rejects.toThrow("broken");
    expect([exits, parts.lines]).toEqual([[2], []]);
  });

  it("whose ledger is away is waited for, and the log says so", async () => {
    parts.openAccess.mockRejectedValue(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    await start(paymentEnv);
    const { access } = given<ServerOptions>(parts.createServer, 0).service as { access: Access };
    expect(await access.readiness()).toMatchObject({ ledger: "unavailable" });
    expect(parts.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "warn", event: "ledger", outcome: "ledger_unavailable" }),
    ]);
    await access.close();
  });
});
