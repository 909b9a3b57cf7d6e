import { describe, expect, it } from "vitest";
import type { Admitted } from "../../src/access/admission.ts";
import { lookAtPass, reasonsOf } from "../../src/access/metering.ts";
import type { PassStatus } from "../../src/access/quota/pass.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import {
  begun,
  body,
  broken,
  call,
  challenged,
  client,
  openMetering,
  paid,
  passToken,
  payment,
  receipt,
  refused,
  type World,
} from "./scripted-metering.ts";

describe("a call that is free", () => {
  it("is charged when its answer is sent", async () => {
    const { metering, notes, counts, quota } = openMetering({ free: 2 });
    const admitted = (await metering.admit(call)) as Admitted;
    expect([admitted.kind, admitted.via, admitted.quota]).toEqual(["admitted", "free", { free: quota(1) }]);
    expect([notes, counts()]).toEqual([[], {}]);
    expect(await admitted.commit(body)).toEqual({ kind: "delivered", body, receipt: null, quota: { free: quota(1) } });
    expect([notes, counts()]).toEqual([["free charged"], { free: 1 }]);
  });

  it("is given back when there is no answer", async () => {
    const { metering, notes, counts, quota } = openMetering({ free: 2 });
    const admitted = (await metering.admit({ ...call, passToken, payment })) as Admitted;
    const pass = { status: "valid", remaining: 4 };
    expect(admitted.quota).toEqual({ free: quota(1), pass });
    expect(await admitted.release(null)).toEqual({ free: quota(2), pass });
    expect(notes).toEqual([["known?", "0x1"], "free given back"]);
    expect(counts()).toEqual({});
  });
});

describe("a free call to an answer that is there already", () => {
  it("is charged at once", async () => {
    const { metering, notes, counts, quota } = openMetering({ free: 2 });
    expect(await metering.chargeFree(client)).toEqual({ free: quota(1) });
    expect([notes, counts()]).toEqual([["free charged"], { free: 1 }]);
  });

  it("is not given if none is left", async () => {
    const { metering, notes, counts } = openMetering({ free: 0 });
    expect(await metering.chargeFree(client)).toBeNull();
    expect([notes, counts()]).toEqual([[], {}]);
  });
});

describe("a call of a pass", () => {
  it("is charged when its answer is sent", async () => {
    const { metering, notes, counts, quota } = openMetering();
    const admitted = (await metering.admit({ ...call, passToken })) as Admitted;
    const left = { free: quota(0), pass: { status: "valid", remaining: 3 } };
    expect([admitted.kind, admitted.via, admitted.quota]).toEqual(["admitted", "pass", left]);
    expect(await admitted.commit(body)).toEqual({ kind: "delivered", body, receipt: null, quota: left });
    expect(await admitted.release(null)).toEqual({ ...left, pass: { status: "valid", remaining: 4 } });
    expect(notes).toEqual(["pass charged", "pass given back"]);
    expect(counts()).toEqual({ pass: 1 });
  });

  it.each<[string, World, PassStatus, unknown[]]>([
    ["that was used up a moment ago", { use: "exhausted" }, "exhausted", [`spent ${client}`]],
    ["that is used up", { status: "exhausted" }, "exhausted", [`spent ${client}`]],
    ["that is over", { status: "expired" }, "expired", [`spent ${client}`]],
    ["that nobody knows", { status: "unknown" }, "unknown", [`spent ${client}`, `spent ${client}`]],
  ])("%s does not pay", async (_name, world, status, spent) => {
    const { metering, notes, counts, quota } = openMetering(world);
    const reasons = [`pass_${status}`, "free_allowance_used"];
    expect(await metering.admit({ ...call, passToken })).toEqual(
      challenged(reasons, { free: quota(0), pass: { status } }),
    );
    expect(notes).toEqual(spent);
    expect(counts()).toEqual({ challenged: 1 });
  });

  it("is looked up only if one is sent", async () => {
    const { options, notes } = openMetering({ status: "unknown" });
    expect(lookAtPass(options, { client, passToken: undefined })).toBeUndefined();
    expect(await lookAtPass(options, { client, passToken })).toEqual({ status: "unknown" });
    expect(notes).toEqual([`spent ${client}`]);
    expect([undefined, { status: "valid" as const }].map(reasonsOf)).toEqual([[], []]);
  });
});

describe("a call that has to be paid for", () => {
  it("gets the price and the reason", async () => {
    const { metering, notes, counts, quota } = openMetering();
    expect(await metering.admit(call)).toEqual(challenged(["free_allowance_used"], { free: quota(0) }));
    const pass = { ...call, product: "pass", resource: "/pass", passToken } as const;
    expect(await metering.admit(pass)).toEqual(challenged(["payment_required"], { free: quota(0) }, ["pass", "/pass"]));
    expect(await metering.quote(call)).toEqual(challenged(["payment_required"], { free: quota(0) }));
    expect(notes).toEqual(Array(3).fill(`spent ${client}`));
    expect(counts()).toEqual({ challenged: 3 });
  });

  it("is settled when its answer is there", async () => {
    const { metering, notes, counts, quota } = openMetering();
    const admitted = (await metering.admit({ ...call, payment, claim: "claim" })) as Admitted;
    expect([admitted.kind, admitted.via, admitted.quota]).toEqual(["admitted", "payment", { free: quota(0) }]);
    expect(notes).toEqual([["known?", "0x1"], `spent ${client}`, begun({ claim: "claim" })]);
    notes.length = 0;
    expect(await admitted.commit(body)).toEqual({
      ...{ kind: "delivered", receipt },
      body: "bought",
      quota: { free: quota(0) },
    });
    expect(notes).toEqual([["committed", "body"], `refunded ${client}`]);
    expect(counts()).toEqual({});
  });

  it("is released when there is no answer", async () => {
    const { metering, notes, quota } = openMetering();
    const admitted = (await metering.admit({ ...call, payment })) as Admitted;
    notes.length = 0;
    expect(await admitted.release(broken)).toEqual({ free: quota(0) });
    expect(notes).toEqual([`refunded ${client}`, ["released", broken]]);
  });

  it.each<[string, World, object | Error, unknown[], object]>([
    ["refused", { begins: refused }, challenged(["payment_expired"], {}), [], { refused: 1 }],
    ["without a verdict", { begins: broken }, broken, [`refunded ${client}`], {}],
    ["settled by another request", { begins: paid }, { kind: "delivered", body: "bought", receipt, quota: {} }, [], {}],
  ])("and shows a payment that is %s", async (_name, world, expected, after, counted) => {
    const { metering, notes, counts, quota } = openMetering(world);
    const told = await Promise.resolve(metering.admit({ ...call, payment })).catch((thrown: unknown) => thrown);
    expect(told).toEqual(expected instanceof Error ? expected : { ...expected, quota: { free: quota(0) } });
    expect(notes).toEqual([["known?", "0x1"], `spent ${client}`, begun(), ...after]);
    expect(counts()).toEqual(counted);
  });

  it.each<[string, World, object, unknown[], object]>([
    ["refused", { commits: refused }, challenged(["payment_expired"], {}), [], { refused: 1 }],
    ["not known", { commits: broken }, broken, [`refunded ${client}`], {}],
  ])("and whose settlement is %s", async (_name, world, expected, after, counted) => {
    const { metering, notes, counts, quota } = openMetering(world);
    const admitted = (await metering.admit({ ...call, payment })) as Admitted;
    notes.length = 0;
    const told = await Promise.resolve(admitted.commit(body)).catch((thrown: unknown) => thrown);
    expect(told).toEqual(expected instanceof Error ? expected : { ...expected, quota: { free: quota(0) } });
    expect(notes).toEqual([["committed", "body"], ...after]);
    expect(counts()).toEqual(counted);
  });

  it("is followed before free calls are tried if its payment is known", async () => {
    const { metering, notes, quota } = openMetering({ free: 5, known: true, begins: refused, status: "expired" });
    expect(await metering.admit({ ...call, payment, passToken })).toEqual(
      challenged(["pass_expired", "payment_expired"], { free: quota(5), pass: { status: "expired" } }),
    );
    expect(notes).toEqual([["known?", "0x1"], `spent ${client}`, begun()]);
  });

  it("for a pass is bought at once, no matter what is free", async () => {
    const { metering, notes, quota } = openMetering({ free: 5 });
    const told = await metering.admit({ ...call, product: "pass", resource: "/pass", payment });
    expect(told).toEqual({ kind: "delivered", body: "bought", receipt, quota: { free: quota(5) } });
    const bought = begun({ product: "pass", resource: "/pass" });
    expect(notes).toEqual([`spent ${client}`, bought, ["committed", "terms"], `refunded ${client}`]);
  });
});

describe("requests that are not charged", () => {
  it("are counted, and refused if a client asks too often", () => {
    const calm = openMetering();
    calm.metering.checkRate(client);
    expect(calm.counts()).toEqual({});
    const { metering, counts } = openMetering({ wait: 3 });
    expect(() => metering.checkRate(client)).toThrow(
      expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 3 }),
    );
    expect(counts()).toEqual({ refused: 1 });
  });

  it("counts against the rate", () => {
    const { metering, notes, counts } = openMetering();
    metering.noteHeld(client);
    metering.noteFailure(client, new ServiceError("invalid_json"));
    metering.noteFailure(client, broken);
    expect(counts()).toEqual({});
    metering.noteFailure(client, new ServiceError("invalid_payment"));
    expect(counts()).toEqual({ refused: 1 });
    expect(notes).toEqual([`spent ${client}`, `spent ${client}`, `spent late ${client}`, `spent ${client}`]);
  });

  it("tell what the client has left", async () => {
    const { metering, quota } = openMetering({ free: 7 });
    expect(await metering.quota(client)).toEqual({ free: quota(7) });
  });
});
