import { describe, expect, it } from "vitest";
import type { Admission, PricedCall } from "../../src/access/admission.ts";
import type { Access } from "../../src/access/open.ts";
import type { Client } from "../../src/access/quota/client-address.ts";
import { openVisitors, type Visitors } from "../../src/access/quota/visitors.ts";
import type { Explainer } from "../../src/explain/explain.ts";
import { CallerGone } from "../../src/explain/flights.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { Door, Sold } from "../../src/service/door.ts";
import { Service } from "../../src/service/service.ts";
import type { DoorRequest, PassRequest } from "../../src/service/service-request.ts";

const sold: Sold = { body: Buffer.from('{"a":1}'), etag: '"e"', source: "recording" };
const quota = { free: { limit: 5, remaining: 4, resetSeconds: 60 } };
const later = { free: { limit: 5, remaining: 3, resetSeconds: 60 } };
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const caller = { connection: { remoteAddress: "192.0.2.1" }, headers: { "x-forwarded-for": "198.51.100.2" } };

interface Asking {
  known?: Sold;
  make?: () => Promise<Sold>;
  read?: DoorRequest<string, Sold>["read"];
  isHeld?: boolean;
}

function askingOf({ known, make = async () => sold, read, isHeld = false }: Asking = {}) {
  const door: Door<string, Sold> = {
    ...{ event: "explain", nameOf: (asked) => `name of ${asked}`, fieldsOf: (asked) => ({ asked }) },
    ...{
      known: () => known,
      make,
      contentOf: () => ({}),
      resultOf: () => "reverted",
      resultIn: (body) => body as never,
    },
  };
  const request: DoorRequest<string, Sold> = {
    ...{ transport: "http", product: "explain", resource: "/explain", caller, isHeld: () => isHeld },
    read: read ?? (() => ({ asked: "x" })),
  };
  return { door, request };
}

function logged() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

const explainer = {} as Explainer;

/** A service that charges nothing. */
function openFree(visitors?: Visitors) {
  const { log, lines } = logged();
  return { service: new Service({ explainer, access: null, log, ...(visitors && { visitors }) }), lines };
}

/** A service whose access says what the test wants, and notes what it is asked. */
function openPriced(admission?: Admission, { quotaFails = false } = {}) {
  const { log, lines } = logged();
  const notes: unknown[][] = [];
  const note = (...words: unknown[]) => void notes.push(words);
  const metering = {
    checkRate: (client: Client) => note("checkRate", client),
    quote: (call: object) => ({ kind: "challenged", challenge: call, quota }),
    admit: (call: PricedCall) => {
      note("admit", call);
      return admission;
    },
    noteHeld: (client: Client) => note("held", client),
    noteFailure: (client: Client, { code }: ServiceError) => note("failure", client, code),
    quota: () => {
      if (quotaFails) throw new ServiceError("ledger_unavailable");
      return later;
    },
  };
  const visitors = { readClient: (remote: string, forwarded: string) => `${remote} ${forwarded}` };
  const access = { metering, visitors } as unknown as Access;
  return { service: new Service({ explainer, access, log }), notes, lines };
}
const client = "192.0.2.1 198.51.100.2";

/** Admitted, with what it commits to. */
const admitted = (parts: object = {}) =>
  ({
    ...{ kind: "admitted", via: "free", quota, release: () => later },
    ...{ commit: (body: Buffer) => ({ kind: "delivered", body, receipt: null, quota }), ...parts },
  }) as Admission;

describe("a service that charges nothing", () => {
  it("makes an answer, remembers it as counted, and tells no quota", async () => {
    const { service, lines } = openFree();
    const read: boolean[] = [];
    const { door, request } = askingOf({
      read: (metered) => {
        read.push(metered);
        return { asked: "x" };
      },
    });
    expect(await service.ask(door, request)).toEqual({ kind: "answered", answer: sold, quota: undefined });
    expect(read).toEqual([false]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 1 });
    expect(lines()).toMatchObject([{ event: "explain", via: "open", asked: "x" }]);
    // In the same turn.
    const known = askingOf({ known: sold });
    expect(service.ask(known.door, known.request)).toEqual({ kind: "answered", answer: sold, quota: undefined });
    expect(service.counts.read()).toEqual({ success: 0, reverted: 2 });
  });

  it("limits nobody unless it is told to", async () => {
    const { service } = openFree();
    const { door, request } = askingOf({ make: () => Promise.reject(new ServiceError("transaction_not_found")) });
    for (let i = 0; i < 5; i++)
      expect(await service.ask(door, request)).toMatchObject({ failure: { body: { error: "transaction_not_found" } } });
  });

  it("counts gatherings and failures of a client, and what is known only against the second", async () => {
    const settings = { rateLimitPerMinute: 2, openCallsPerMinute: 1, trustProxy: [] };
    const { service } = openFree(openVisitors(settings, () => 1_000));
    const fresh = askingOf();
    const known = askingOf({ known: sold });
    expect(await service.ask(fresh.door, fresh.request)).toMatchObject({ kind: "answered" });
    const stopped = { kind: "failed", quota: undefined, failure: { status: 429, retryAfterSeconds: 60 } };
    expect(await service.ask(fresh.door, fresh.request)).toMatchObject({
      failure: { ...stopped.failure, body: { message: "Too many explanations within a minute." } },
    });
    expect(await service.ask(known.door, known.request)).toMatchObject({ kind: "answered" });
    for (let i = 0; i < 2; i++) service.fail(new ServiceError("invalid_json"), known.request);
    expect(await service.ask(known.door, known.request)).toMatchObject({
      failure: { status: 429, retryAfterSeconds: 30 },
    });
  });

  it("has no price", async () => {
    const { service } = openFree();
    const { door, request } = askingOf({ read: () => null });
    expect(await service.ask(door, request)).toMatchObject({ failure: { body: { error: "internal" } } });
  });

  it("sells no pass, not even to who asks too often", async () => {
    const visitors = openVisitors({ rateLimitPerMinute: 1, openCallsPerMinute: 0, trustProxy: [] }, () => 1_000);
    const { service } = openFree(visitors);
    const request = { ...askingOf().request, product: "pass", resource: "/pass", read: () => ({}) } as never;
    // The first failure on our side is forgiven.
    for (let i = 0; i < 2; i++)
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
    expect([service.evidence.alone, service.evidence.beside].map((door) => door.nameOf("0x1" as never))).toEqual([
      ...["evidence:alone:0x1", "evidence:beside:0x1"],
    ]);
  });
});

describe("a service that charges", () => {
  const call = { client, product: "explain", resource: "/explain", request: "name of x" };

  it("asks for admission in the name of the client, with what it offers", async () => {
    const { service, notes } = openPriced(admitted());
    const tender = { passToken: "token", payment: "payment" as never };
    const { door, request } = askingOf({ read: (metered) => (metered ? { asked: "x", tender } : null) });
    expect(await service.ask(door, request)).toEqual({ kind: "answered", answer: sold, quota });
    expect(notes).toEqual([
      ["checkRate", client],
      ["admit", { ...call, ...tender }],
    ]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 1 });
  });

  it("tells the price to who asks for it", async () => {
    const { service } = openPriced();
    const { door, request } = askingOf({ read: () => null });
    const challenge = { client, product: "explain", resource: "/explain" };
    expect(await service.ask(door, request)).toEqual({ kind: "challenged", challenge, quota });
  });

  it("passes a challenge on", async () => {
    const challenged = { kind: "challenged", challenge: "price", quota } as never;
    const { service } = openPriced(challenged);
    const { door, request } = askingOf();
    expect(await service.ask(door, request)).toBe(challenged);
  });

  it("does not count what the caller has already", async () => {
    const { service, notes } = openPriced(admitted());
    const { door, request } = askingOf({ known: sold, isHeld: true });
    expect(await service.ask(door, request)).toEqual({ kind: "answered", answer: sold, quota: later });
    expect(notes.at(-1)).toEqual(["held", client]);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0 });
  });

  it.each([
    ["now", admitted({ via: "payment", commit: () => ({ kind: "delivered", body: '{"a":1}', receipt, quota }) }), true],
    ["before", { kind: "delivered", body: '{"a":1}', receipt, quota } as Admission, false],
  ] as const)("tells what was bought %s", async (_name, admission, fresh) => {
    const { service } = openPriced(admission);
    const { door, request } = askingOf();
    const outcome = await service.ask(door, request);
    const source = fresh ? "recording" : undefined;
    expect(outcome).toMatchObject({ kind: "bought", body: '{"a":1}', fresh, source, receipt, quota });
    expect((outcome as { content(): object }).content()).toEqual({ a: 1 });
    expect(service.counts.read()).toMatchObject(fresh ? { reverted: 1 } : { '{"a":1}': 1 });
  });

  it("tells a failure with what is left after it", async () => {
    const { service, notes } = openPriced(admitted());
    const { door, request } = askingOf({ make: () => Promise.reject(new ServiceError("transaction_not_found")) });
    expect(await service.ask(door, request)).toMatchObject({
      ...{ kind: "failed", failure: { status: 404, body: { error: "transaction_not_found" } }, quota: later },
    });
    expect(notes.at(-1)).toEqual(["failure", client, "transaction_not_found"]);
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
    expect(await service.fail(error, request, quota)).toHaveProperty("quota", quota);
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
        ["checkRate", client],
        ["admit", { client, product: "pass", resource: "/pass", request: "", ...offered }],
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

describe("a failure", () => {
  const { request } = askingOf();

  it("is counted by its code, but not of a pass or of who has gone", () => {
    const { service } = openFree();
    service.fail(new ServiceError("invalid_json"), request);
    service.fail(new ServiceError("invalid_payment"), { ...request, product: "pass" });
    service.fail(new ServiceError("restarting", undefined, { cause: new CallerGone() }), request);
    expect(service.counts.read()).toEqual({ success: 0, reverted: 0, invalid_json: 1 });
  });

  it("is logged where the service refuses, but for what was logged before and for who has gone", () => {
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
