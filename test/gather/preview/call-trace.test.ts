import { describe, expect, it } from "vitest";
import { readCallTrace } from "../../../src/gather/preview/runs/simulate.ts";
import { alice, bob } from "../../support/case-of.ts";
import { request } from "./unsigned-case.ts";

describe("a traced call", () => {
  const log = (name: string, position?: string) => ({
    ...{ address: bob, topics: [], data: `0x${name}` },
    ...(position !== undefined && { position }),
  });
  const frame = (more: object = {}) => ({ type: "CALL", from: alice, to: bob, value: "0x0", input: "0x", ...more });
  const ran = (result: object, to: typeof bob | null = bob) =>
    readCallTrace({ ok: true, result } as never, { ...request, to });

  it("has its logs in the order in which they were written, without those of what failed", () => {
    const calls = [
      frame({ logs: [log("02")] }),
      frame({ error: "execution reverted", logs: [log("ff")] }),
      frame({ logs: [log("05", "0x0")], calls: [frame({ logs: [log("06")] })] }),
    ];
    const logs = [log("01", "0x0"), log("03", "0x1"), log("04", "0x2"), log("07", "0x3"), log("08", "0x9")];
    const run = ran(frame({ calls, logs, gasUsed: "0x5208" })) as never as { receipt: { logs: object[] } };
    expect(run.receipt).toMatchObject({ status: "0x1", gasUsed: "0x5208", contractAddress: null });
    expect(run.receipt.logs).toEqual(
      ["01", "02", "03", "04", "05", "06", "07", "08"].map((name, i) => ({
        ...{ address: bob, topics: [], data: `0x${name}`, logIndex: `0x${i}` },
      })),
    );
  });

  it("that failed has no logs and creates nothing", () => {
    expect(ran(frame({ error: "execution reverted", logs: [log("01")] }), null)).toMatchObject({
      ...{ kind: "ran", receipt: { status: "0x0", contractAddress: null, logs: [] } },
    });
    expect(ran(frame({}), null)).toMatchObject({ receipt: { status: "0x1", contractAddress: bob } });
    expect(ran({ nothing: 1 })).toEqual({ kind: "failed" });
    const refused = { ok: false, code: -38010, message: "" } as never;
    expect([readCallTrace(refused, request), readCallTrace(undefined, request)]).toEqual([
      { kind: "refused", reason: "nonce_low" },
      { kind: "failed" },
    ]);
  });
});
