import { describe, expect, it } from "vitest";
import { CallerGone } from "../../../src/gather/explain/shared-runs.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Admission, PricedCall, Quota } from "../../../src/serve/access/admission.ts";
import type { Metering } from "../../../src/serve/access/metering.ts";
import { chargeFor, type Work } from "../../../src/serve/service/priced-work.ts";

const quota: Quota = { free: { limit: 5, remaining: 4, resetSeconds: 60 } };
const after: Quota = { free: { limit: 5, remaining: 5, resetSeconds: 60 } };
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const challenged = { kind: "challenged", challenge: {} as never, quota } as const;
const call = { client: "c" as never, product: "explain", resource: "/explain", request: "r" } as PricedCall;

/** A metering that gives this admission, and a list of what was done, in order. `left`: whether there is a free call. */
function open(
  via: "free" | "pass" | "payment",
  { committed, left = false }: { committed?: Admission; left?: boolean } = {},
) {
  const done: string[] = [];
  const metering = {
    chargeFree: () => {
      done.push("charge free");
      return left ? quota : null;
    },
    noteHeld: (worker: string) => done.push(`note held ${worker}`),
    beginWork: (worker: string) => {
      done.push(`begin ${worker}`);
      return { grow: () => {}, check: () => {}, end: (all: boolean) => done.push(`end ${all}`) };
    },
    admit: () => {
      done.push("admit");
      return {
        kind: "admitted",
        via,
        worker: "w",
        quota,
        commit: (body: Buffer) => {
          done.push(`commit ${body}`);
          return committed ?? { kind: "delivered", body, receipt: via === "payment" ? receipt : null, quota };
        },
        release: (cause: unknown) => {
          done.push(`release ${cause}`);
          return after;
        },
      };
    },
  } as unknown as Metering;
  const work = (parts: Partial<Work<string>> = {}): Work<string> => ({
    known: () => undefined,
    run: async ({ via: how }) => {
      done.push(`run by ${how}`);
      return "result";
    },
    bodyOf: (result) => Buffer.from(result),
    isHeld: () => false,
    ...parts,
  });
  return { metering, done, work };
}

describe("chargeFor", () => {
  it.each(["free", "pass"] as const)("works between admission and commit when admitted by %s", async (via) => {
    const { metering, done, work } = open(via);
    const charged = await chargeFor(metering, call, work());
    expect(charged).toEqual({ kind: "done", result: "result", quota, held: false });
    expect(done).toEqual(["admit", "begin w", `run by ${via}`, "end true", "commit result"]);
  });

  it("gives a known result for a free call, and holds nothing for it", async () => {
    const { metering, done, work } = open("free", { left: true });
    const charged = await chargeFor(metering, call, work({ known: () => "known" }));
    expect(charged).toEqual({ kind: "done", result: "known", quota, held: false });
    expect(done).toEqual(["charge free"]);
  });

  it("asks for admission to a known result where no free call is left", async () => {
    const { metering, done, work } = open("payment");
    const known = work({ known: () => "known" });
    expect(await chargeFor(metering, call, known)).toMatchObject({ kind: "bought", result: "known" });
    expect(done).toEqual(["charge free", "admit", "commit known"]);
  });

  it.each([
    ["pass", { passToken: "token" }],
    ["payment", { payment: {} as never }],
  ] as const)("asks for admission to a known result where a %s is offered", async (via, offered) => {
    const { metering, done, work } = open(via, { left: true });
    await chargeFor(metering, { ...call, ...offered }, work({ known: () => "known" }));
    expect(done).toEqual(["admit", "commit known"]);
  });

  it("charges nothing for a known result that cannot be written", async () => {
    const { metering, done, work } = open("free", { left: true });
    const bodyOf = () => {
      throw new Error("no JSON");
    };
    await expect(chargeFor(metering, call, work({ known: () => "known", bodyOf }))).rejects.toThrow("no JSON");
    expect(done).toEqual([]);
  });

  it("gives what was committed when it is paid for", async () => {
    const { metering, work } = open("payment");
    const body = Buffer.from("result");
    expect(await chargeFor(metering, call, work())).toEqual({ kind: "bought", result: "result", body, receipt, quota });
  });

  it("charges nothing and gives the call back when the work fails", async () => {
    const { metering, done, work } = open("pass");
    const failing = work({ run: () => Promise.reject("broken") });
    expect(await chargeFor(metering, call, failing)).toEqual({
      kind: "failed",
      cause: "broken",
      quota: after,
      worker: "w",
    });
    expect(done).toEqual(["admit", "begin w", "end false", "release broken"]);
  });

  it("does no work for whoever asked for too much of it, and gives the call back", async () => {
    const { metering, done, work } = open("payment");
    const cause = new ServiceError("rate_limited");
    metering.beginWork = () => {
      throw cause;
    };
    expect(await chargeFor(metering, call, work())).toEqual({ kind: "failed", cause, quota: after, worker: "w" });
    expect(done).toEqual(["admit", `release ${cause}`]);
  });

  it("gives the call back without a cause where the caller has gone, so that an equal one can go on", async () => {
    const { metering, done, work } = open("payment");
    const cause = new ServiceError("upstream_unavailable", "no", { cause: new CallerGone() });
    const run = () => Promise.reject(cause);
    expect(await chargeFor(metering, call, work({ run }))).toEqual({
      kind: "failed",
      cause,
      quota: after,
      worker: "w",
    });
    expect(done).toEqual(["admit", "begin w", "end false", "release null"]);
  });

  it("gives the call back where a result cannot be written", async () => {
    const { metering, done, work } = open("pass");
    const cause = new Error("no JSON");
    const failing = work({
      bodyOf: () => {
        throw cause;
      },
    });
    expect(await chargeFor(metering, call, failing)).toEqual({ kind: "failed", cause, quota: after, worker: "w" });
    expect(done).toEqual(["admit", "begin w", "run by pass", "end true", `release ${cause}`]);
  });

  it("takes nothing without work that is not paid for", async () => {
    const metering = { admit: () => ({ kind: "delivered", body: "old", receipt: null, quota }) } as unknown as Metering;
    await expect(chargeFor(metering, call, open("free").work())).rejects.toThrow(
      "only a payment delivers without work",
    );
  });

  it("charges nothing for a remembered result that the caller has, unless the caller pays for it", async () => {
    const free = open("free");
    const held = { known: () => "known", isHeld: () => true };
    expect(await chargeFor(free.metering, call, free.work(held))).toMatchObject({ held: true, quota: after });
    expect(free.done).toEqual(["admit", "note held w", "release null"]);
    const paid = open("payment");
    expect(await chargeFor(paid.metering, call, paid.work(held))).toMatchObject({ kind: "bought" });
  });

  it("charges for a result that had to be made, though the caller has it", async () => {
    const { metering, done, work } = open("free");
    expect(await chargeFor(metering, call, work({ isHeld: () => true }))).toMatchObject({ kind: "done", held: false });
    expect(done).toEqual(["admit", "begin w", "run by free", "end true", "commit result"]);
  });

  it("gives no result when the payment could not be settled", async () => {
    const { metering, work } = open("payment", { committed: challenged });
    expect(await chargeFor(metering, call, work())).toEqual(challenged);
  });

  it.each([
    ["a challenge", challenged, challenged],
    [
      "what was bought earlier",
      { kind: "delivered", body: "old", receipt, quota },
      { kind: "bought", result: null, body: "old", receipt, quota },
    ],
  ] as const)("passes on %s without work", async (_what, admission, expected) => {
    const { done, work } = open("free");
    const metering = { admit: () => admission } as unknown as Metering;
    expect(await chargeFor(metering, call, work())).toEqual(expected);
    expect(done).toEqual([]);
  });
});
