import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Admission, PricedCall } from "../../../src/serve/access/admission.ts";
import type { Access } from "../../../src/serve/access/open.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import { Service } from "../../../src/serve/service/service.ts";
import type { PassRequest } from "../../../src/serve/service/service-request.ts";
import { askingOf, caller, explainer, logged, sold } from "./asking.ts";

const quota = { free: { limit: 5, remaining: 4, resetSeconds: 60 } };
const later = { free: { limit: 5, remaining: 3, resetSeconds: 60 } };
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;

/** A service over an access that gives this admission and notes every call to it. */
function openPriced(admission?: Admission, { quotaFails = false } = {}) {
  const { log, lines } = logged();
  const notes: unknown[][] = [];
  const note = (...words: unknown[]) => void notes.push(words);
  const metering = {
    beginWork: (worker: Client) => {
      note("beginWork", worker);
      return { grow: () => {}, check: () => {}, end: (all: boolean) => note("endWork", all) };
    },
    quote: (call: object, refusal: unknown) => ({ kind: "challenged", challenge: { call, refusal }, quota }),
    admit: (call: PricedCall) => {
      note("admit", call);
      return admission;
    },
    noteHeld: (client: Client) => note("held", client),
    noteFailure: (client: Client, { code }: ServiceError, worker?: Client) => note("failure", client, code, worker),
    quota: () => {
      if (quotaFails) throw new ServiceError("ledger_unavailable");
      return later;
    },
  };
  const settings = { rateLimitPerMinute: 0, openCallsPerMinute: 0, trustProxy: [] };
  const visitors = {
    ...openVisitors(settings),
    readClient: (remote: string, forwarded: string) => `${remote} ${forwarded}`,
  };
  const access = { metering, visitors } as unknown as Access;
  return { service: new Service({ explainer, access, log }), notes, lines };
}
const client = "192.0.2.1 198.51.100.2";

/** Admitted, with what it commits to. */
const admitted = (parts: object = {}) =>
  ({
    ...{ kind: "admitted", via: "free", worker: "worker" as Client, quota, release: async () => later },
    ...{ commit: async (body: Buffer) => ({ kind: "delivered", body, receipt: null, quota }), ...parts },
  }) as Admission;

describe("a service that charges", () => {
  const call = { client, product: "explain", resource: "/explain", request: "name of x", isPasted: false };

  it("asks for admission in the name of the client, with what it offers", async () => {
    const { service, notes } = openPriced(admitted());
    const tender = { passToken: "token", payment: "payment" as never };
    const { answers, request } = askingOf({
      read: (metered) => (metered ? { asked: "x", tender } : { refusal: null }),
    });
    expect(await service.ask(answers, request)).toEqual({ kind: "answered", answer: sold, quota });
    expect(notes).toEqual([
      ["admit", { ...call, ...tender }],
      ["beginWork", "worker"],
      ["endWork", true],
    ]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 1 });
  });

  it("tells the price to a client that asks for it", async () => {
    const { service } = openPriced();
    const refusal = new ServiceError("invalid_json");
    const { answers, request } = askingOf({ read: () => ({ refusal }) });
    const challenge = { call: { client, product: "explain", resource: "/explain" }, refusal };
    expect(await service.ask(answers, request)).toEqual({ kind: "challenged", challenge, quota });
  });

  it("passes a challenge on", async () => {
    const challenged = { kind: "challenged", challenge: "price", quota } as never;
    const { service } = openPriced(challenged);
    const { answers, request } = askingOf();
    expect(await service.ask(answers, request)).toBe(challenged);
  });

  it("does not count what the caller has already", async () => {
    const { service, notes } = openPriced(admitted());
    const { answers, request } = askingOf({ known: sold, isHeld: true });
    expect(await service.ask(answers, request)).toEqual({ kind: "answered", answer: sold, quota: later });
    expect(notes.at(-1)).toEqual(["held", "worker"]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0 });
  });

  it.each([
    ["now", admitted({ via: "payment", commit: () => ({ kind: "delivered", body: '{"a":1}', receipt, quota }) }), true],
    ["before", { kind: "delivered", body: '{"a":1}', receipt, quota } as Admission, false],
  ] as const)("tells what was bought %s", async (_name, admission, fresh) => {
    const { service } = openPriced(admission);
    const { answers, request } = askingOf();
    const outcome = await service.ask(answers, request);
    const source = fresh ? "recording" : undefined;
    expect(outcome).toMatchObject({ kind: "bought", body: '{"a":1}', fresh, source, receipt, quota });
    expect((outcome as { content(): object }).content()).toEqual({ a: 1 });
    expect(service.counts.read()).toMatchObject(fresh ? { reverted: 1 } : { '{"a":1}': 1 });
  });

  it("tells a failure with what is left after it", async () => {
    const { service, notes } = openPriced(admitted());
    const { answers, request } = askingOf({ make: () => Promise.reject(new ServiceError("transaction_not_found")) });
    expect(await service.ask(answers, request)).toMatchObject({
      ...{ kind: "failed", failure: { status: 404, body: { error: "transaction_not_found" } }, quota: later },
    });
    expect(notes.at(-1)).toEqual(["failure", client, "transaction_not_found", "worker"]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0, transaction_not_found: 1 });
  });

  it.each([
    [false, later],
    [true, undefined],
  ])("tells what is left beside a failure, where the ledger answers (%s: it does not)", async (quotaFails, left) => {
    const { service } = openPriced(undefined, { quotaFails });
    const { request } = askingOf();
    const error = new ServiceError("invalid_json");
    expect(await service.fail(error, request)).toMatchObject({ kind: "failed", failure: { status: 400 } });
    expect(await service.fail(error, request)).toHaveProperty("quota", left);
    expect(await service.fail(error, request, { quota, worker: client as Client })).toHaveProperty("quota", quota);
  });

  describe("and sells a pass", () => {
    const request: PassRequest = {
      ...{ transport: "http", product: "pass", resource: "/pass", caller },
      read: () => ({ payment: "payment" as never, claim: "claim" }),
    };

    it("for a payment", async () => {
      const body = Buffer.from('{"pass_token":"t"}');
      const { service, notes } = openPriced({ kind: "delivered", body, receipt, quota });
      const outcome = await service.sellPass(request);
      expect(outcome).toMatchObject({ kind: "bought", body: '{"pass_token":"t"}', fresh: true, receipt, quota });
      const offered = { payment: "payment", claim: "claim" };
      expect(notes).toEqual([
        ["admit", { client, product: "pass", resource: "/pass", request: "", isForwarded: true, ...offered }],
      ]);
      expect(service.counts.read()).toEqual({ success: 0, reverted: 0 });
    });

    it("at a price", async () => {
      const challenged = { kind: "challenged", challenge: "price", quota } as never;
      expect(await openPriced(challenged).service.sellPass(request)).toBe(challenged);
    });

    it.each([
      ["held", admitted()],
      ["without a receipt", { kind: "delivered", body: "{}", receipt: null, quota } as Admission],
    ])("and gives none away that is %s", async (_name, admission) => {
      const outcome = await openPriced(admission).service.sellPass(request);
      expect(outcome).toMatchObject({ kind: "failed", failure: { body: { error: "internal" } } });
    });
  });
});
