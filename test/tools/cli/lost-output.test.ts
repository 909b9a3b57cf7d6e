import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runHere } from "./run-here.ts";

/** What stdout fails with while a command runs. */
const fake = vi.hoisted(() => ({ code: "" }));
const failing = async () => {
  const message = `${fake.code}: no space left on device, write`;
  process.stdout.emit("error", Object.assign(new Error(message), { code: fake.code }));
  return { text: "", status: 0 };
};
vi.mock("../../../src/serve/start/serve.ts", () => ({ serve: () => failing() }));
vi.mock("../../../src/tools/cli/ledger/ledger.ts", () => ({ runLedger: () => failing() }));

class Exit extends Error {
  readonly status: unknown;

  constructor(status: unknown) {
    super(`exit ${status}`);
    this.status = status;
  }
}

let exits: unknown[] = [];
beforeEach(() => {
  exits = [];
  vi.spyOn(process, "exit").mockImplementation((status) => {
    exits.push(status);
    throw new Exit(status);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("output that cannot be written", () => {
  it("is no failure where the reader stops early", async () => {
    fake.code = "EPIPE";
    expect((await runHere("ledger", "export")).err).not.toContain("cannot be written");
    expect(exits).toEqual([0]);
  });

  it("is told where the disk is full", async () => {
    fake.code = "ENOSPC";
    const { err } = await runHere("ledger", "export");
    expect(err).toMatch(/^txgloss: the output cannot be written: ENOSPC: no space left on device, write\n/);
    expect(exits).toEqual([1]);
  });

  it.each(["EPIPE", "ENOSPC"])("does not end the service, whose greeting nobody has to read (%s)", async (code) => {
    fake.code = code;
    const ours = vi.fn();
    // As the service does itself.
    process.stdout.on("error", ours);
    await runHere("serve");
    process.stdout.off("error", ours);
    expect(ours).toHaveBeenCalledOnce();
    expect(exits).toEqual([]);
  });
});
