import { describe, expect, it } from "vitest";
import { CallerGone } from "../../../src/gather/explain/shared-runs.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { openVisitors, type Visitors } from "../../../src/serve/access/quota/visitors.ts";
import { Service } from "../../../src/serve/service/service.ts";
import { askingOf, caller, explainer, logged, sold } from "./asking.ts";

/** A service that charges nothing. */
function openFree(visitors?: Visitors) {
  const { log, lines } = logged();
  return { service: new Service({ explainer, access: null, log, ...(visitors && { visitors }) }), lines };
}

describe("a service that charges nothing", () => {
  it("makes an answer, remembers it as counted, and tells no quota", async () => {
    const { service, lines } = openFree();
    const read: boolean[] = [];
    const { answers, request } = askingOf({
      read: (metered) => {
        read.push(metered);
        return { asked: "x" };
      },
    });
    expect(await service.ask(answers, request)).toEqual({ kind: "answered", answer: sold, quota: undefined });
    expect(read).toEqual([false]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 1 });
    expect(lines()).toMatchObject([{ event: "explain", via: "open", asked: "x" }]);
    const known = askingOf({ known: sold });
    expect(await service.ask(known.answers, known.request)).toEqual({
      kind: "answered",
      answer: sold,
      quota: undefined,
    });
    expect(service.counts.read()).toEqual({ success: 0, reverted: 2 });
  });

  it("limits no client unless a limit is set", async () => {
    const { service } = openFree();
    const { answers, request } = askingOf({ make: () => Promise.reject(new ServiceError("transaction_not_found")) });
    for (let i = 0; i < 5; i++)
      expect(await service.ask(answers, request)).toMatchObject({
        failure: { body: { error: "transaction_not_found" } },
      });
  });

  it("counts gatherings and failures of a client, and tells what is known whatever was counted", async () => {
    const settings = { rateLimitPerMinute: 2, openCallsPerMinute: 1, trustProxy: [] };
    const { service } = openFree(openVisitors(settings, () => 1_000));
    const fresh = askingOf();
    const known = askingOf({ known: sold });
    expect(await service.ask(fresh.answers, fresh.request)).toMatchObject({ kind: "answered" });
    const stopped = { kind: "failed", quota: undefined, failure: { status: 429, retryAfterSeconds: 60 } };
    expect(await service.ask(fresh.answers, fresh.request)).toMatchObject({
      failure: { ...stopped.failure, body: { message: "Too many explanations within a minute." } },
    });
    expect(await service.ask(known.answers, known.request)).toMatchObject({ kind: "answered" });
    for (let i = 0; i < 2; i++) service.fail(new ServiceError("transaction_not_found"), known.request);
    expect(await service.ask(fresh.answers, fresh.request)).toMatchObject({
      failure: { status: 429, retryAfterSeconds: 30 },
    });
    expect(await service.ask(known.answers, known.request)).toMatchObject({ kind: "answered" });
  });

  it("answers calls however many mistakes the client made, and tells only the mistakes that they are too many", async () => {
    const { service } = openFree(
      openVisitors({ rateLimitPerMinute: 2, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000),
    );
    const { answers, request } = askingOf();
    const failures = ["invalid_json", "invalid_tx_hash", "unsupported_media_type"] as const;
    const told = await Promise.all(failures.map((code) => service.fail(new ServiceError(code), request)));
    expect(told.map(({ failure }) => failure.body.error)).toEqual(["invalid_json", "invalid_tx_hash", "rate_limited"]);
    expect(told[2]?.failure.retryAfterSeconds).toBe(30);
    expect(await service.ask(answers, request)).toMatchObject({ kind: "answered" });
    service.countMessage(caller, 1);
    expect(() => service.countMistake(caller)).toThrow(expect.objectContaining({ code: "rate_limited" }));
  });

  it("has no price", async () => {
    const { service } = openFree();
    const { answers, request } = askingOf({ read: () => ({ refusal: null }) });
    expect(await service.ask(answers, request)).toMatchObject({ failure: { body: { error: "internal" } } });
  });

  it("sells no pass, not even to a client that asks too often", async () => {
    const visitors = openVisitors({ rateLimitPerMinute: 1, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000);
    const { service } = openFree(visitors);
    const request = { ...askingOf().request, product: "pass", resource: "/pass", read: () => ({}) } as never;
    expect(await service.sellPass(request)).toMatchObject({
      ...{ kind: "failed", failure: { status: 501, body: { error: "payments_not_configured" } } },
    });
    expect(await service.sellPass(request)).toMatchObject({ failure: { body: { error: "rate_limited" } } });
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0 });
  });

  it("counts messages by their weight", () => {
    const visitors = openVisitors({ rateLimitPerMinute: 2, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000);
    const { service } = openFree(visitors);
    service.countMessage(caller, 0.5);
    service.countMessage(caller, 1);
    expect(() => service.countMessage(caller, 1)).toThrow(expect.objectContaining({ code: "rate_limited" }));
  });

  it("has previews only where there is a previewer", () => {
    const { service } = openFree();
    expect(service.previews).toBeNull();
    const previewer = { cached: () => "known" } as never;
    const { previews } = new Service({ explainer, previewer, access: null, log: logged().log });
    expect(previews?.known({ kind: "transaction", request: {} as never })).toBe("known");
    expect([service.evidence.alone, service.evidence.beside].map((answers) => answers.nameOf("0x1" as never))).toEqual([
      ...["evidence:alone:0x1", "evidence:beside:0x1"],
    ]);
  });
});

describe("a failure", () => {
  const { request } = askingOf();

  it("is counted by its code, but not for a pass or for a client that has gone", () => {
    const { service } = openFree();
    service.fail(new ServiceError("invalid_json"), request);
    service.fail(new ServiceError("invalid_payment"), { ...request, product: "pass" });
    service.fail(new ServiceError("restarting", undefined, { cause: new CallerGone() }), request);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0, invalid_json: 1 });
  });

  it("is logged if the service refuses, except for what was logged before and for a client that has gone", () => {
    const { service, lines } = openFree();
    for (const code of ["invalid_json", "upstream_unavailable", "restarting", "restarting"] as const)
      service.fail(new ServiceError(code), request);
    service.fail(new ServiceError("overloaded", undefined, { cause: new CallerGone() }), request);
    const refused = { level: "warn", event: "refused", transport: "http", outcome: "restarting" };
    expect(lines()).toEqual([refused, refused]);
  });

  it("is one line for a thousand that a flood brings", () => {
    const { service, lines } = openFree();
    for (let i = 0; i < 1_001; i++) service.fail(new ServiceError("overloaded"), request);
    const refused = { level: "warn", event: "refused", transport: "http", outcome: "overloaded", one_of: 1_000 };
    expect(lines()).toEqual([refused, refused]);
  });
});
