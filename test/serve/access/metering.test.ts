import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Admitted } from "../../../src/serve/access/admission.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { PassStatus } from "../../../src/serve/access/quota/pass.ts";
import type { ClientLimits } from "../../../src/serve/access/quota/rate-limit.ts";
import { lookAtPass, reasonsOf } from "../../../src/serve/access/quota/shown-pass.ts";
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
  payer,
  payment,
  receipt,
  refused,
  type World,
} from "./scripted-metering.ts";

/** The price for whoever offers nothing. */
const unpaid = (reasons: string[], quota: object, where?: string[]) =>
  challenged(reasons, quota, where, { retryAfterSeconds: 0 });

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

  it.each<[string, World, PassStatus]>([
    ["that was used up a moment ago", { use: "exhausted" }, "exhausted"],
    ["that is used up", { status: "exhausted" }, "exhausted"],
    ["that is over", { status: "expired" }, "expired"],
    ["that nobody knows", { status: "unknown" }, "unknown"],
  ])("%s does not pay", async (_name, world, status) => {
    const { metering, notes, counts, quota } = openMetering(world);
    const reasons = [`pass_${status}`, "free_allowance_used"];
    expect(await metering.admit({ ...call, passToken })).toEqual(unpaid(reasons, { free: quota(0), pass: { status } }));
    expect(notes).toEqual([`spent mistakes ${client}`]);
    expect(counts()).toEqual({ challenged: 1 });
  });

  it("is looked up only if one is sent", async () => {
    const { options } = openMetering({ status: "unknown" });
    expect(await lookAtPass(options, { passToken: undefined })).toBeUndefined();
    expect(await lookAtPass(options, { passToken })).toEqual({ status: "unknown" });
    expect([undefined, { status: "valid" as const }].map(reasonsOf)).toEqual([[], []]);
  });
});

describe("a call that has to be paid for", () => {
  it("gets the price and the reason", async () => {
    const { metering, notes, counts, quota } = openMetering();
    expect(await metering.admit(call)).toEqual(unpaid(["free_allowance_used"], { free: quota(0) }));
    const pass = { ...call, product: "pass", resource: "/pass", passToken } as const;
    expect(await metering.admit(pass)).toEqual(unpaid(["payment_required"], { free: quota(0) }, ["pass", "/pass"]));
    expect(await metering.quote(call, null)).toEqual(unpaid(["payment_required"], { free: quota(0) }));
    expect(notes).toEqual(Array(3).fill(`spent mistakes ${client}`));
    expect(counts()).toEqual({ challenged: 3 });
  });

  it("is settled when its answer is there", async () => {
    const { metering, notes, counts, quota } = openMetering();
    const admitted = (await metering.admit({ ...call, payment, claim: "claim" })) as Admitted;
    expect([admitted.kind, admitted.via, admitted.quota]).toEqual(["admitted", "payment", { free: quota(0) }]);
    expect(notes).toEqual([["known?", "0x1"], `spent payments ${client}`, begun({ claim: "claim" })]);
    notes.length = 0;
    expect(await admitted.commit(body)).toEqual({
      ...{ kind: "delivered", receipt },
      body: "bought",
      quota: { free: quota(0) },
    });
    expect(notes).toEqual([["committed", "body"], `refunded payments ${client}`]);
    expect(counts()).toEqual({});
  });

  it("is released when there is no answer", async () => {
    const { metering, notes, quota } = openMetering();
    const admitted = (await metering.admit({ ...call, payment })) as Admitted;
    notes.length = 0;
    expect(await admitted.release(broken)).toEqual({ free: quota(0) });
    expect(notes).toEqual([`refunded payments ${client}`, ["released", broken]]);
  });

  it.each<[string, World, object | Error, unknown[], object]>([
    ["refused", { begins: refused }, challenged(["payment_expired"], {}), [], { refused: 1 }],
    ["without a verdict", { begins: broken }, broken, [`refunded payments ${client}`], {}],
    ["settled by another request", { begins: paid }, { kind: "delivered", body: "bought", receipt, quota: {} }, [], {}],
  ])("and shows a payment that is %s", async (_name, world, expected, after, counted) => {
    const { metering, notes, counts, quota } = openMetering(world);
    const told = await Promise.resolve(metering.admit({ ...call, payment })).catch((thrown: unknown) => thrown);
    expect(told).toEqual(expected instanceof Error ? expected : { ...expected, quota: { free: quota(0) } });
    expect(notes).toEqual([["known?", "0x1"], `spent payments ${client}`, begun(), ...after]);
    expect(counts()).toEqual(counted);
  });

  it.each<[string, World, object, unknown[], object]>([
    ["refused", { commits: refused }, challenged(["payment_expired"], {}), [], { refused: 1 }],
    ["not known", { commits: broken }, broken, [`refunded payments ${client}`], {}],
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
    expect(notes).toEqual([["known?", "0x1"], `spent payments ${client}`, begun()]);
  });

  it("for a pass is bought at once, no matter what is free", async () => {
    const { metering, notes, quota } = openMetering({ free: 5 });
    const told = await metering.admit({ ...call, product: "pass", resource: "/pass", payment });
    expect(told).toEqual({ kind: "delivered", body: "bought", receipt, quota: { free: quota(5) } });
    const bought = begun({ product: "pass", resource: "/pass" });
    expect(notes).toEqual([`spent payments ${client}`, bought, ["committed", "terms"], `refunded payments ${client}`]);
  });
});

describe("a client that asks for nothing", () => {
  const refusal = new ServiceError("invalid_json");

  it("is told its mistake while it has a free call, and the price afterwards or on purpose", async () => {
    const free = openMetering({ free: 1 });
    await expect(async () => free.metering.quote(call, refusal)).rejects.toBe(refusal);
    expect(free.notes).toEqual([]);
    expect(await free.metering.quote(call, null)).toEqual(unpaid(["payment_required"], { free: free.quota(1) }));
    const spent = openMetering();
    expect(await spent.metering.quote(call, refusal)).toEqual(unpaid(["payment_required"], { free: spent.quota(0) }));
  });
});

describe("a client that asks too fast", () => {
  const waits = (kind: keyof ClientLimits) => ({ waits: { [kind]: 3 } });
  const limited = expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 3 });

  it("without paying is told when to come again, beside the price", async () => {
    const { metering, quota } = openMetering(waits("mistakes"));
    const told = challenged(["free_allowance_used"], { free: quota(0) }, undefined, { retryAfterSeconds: 3 });
    expect(await metering.admit(call)).toEqual(told);
  });

  it("without paying costs the ledger nothing while its allowance is known to be used up", async () => {
    const { metering, options, quota } = openMetering({ ...waits("mistakes"), spentLately: true });
    const asked = () => expect.unreachable("the ledger is not asked");
    Object.assign(options.freeCalls, { take: asked, charge: asked, read: asked });
    const told = (reason: string) => challenged([reason], { free: quota(0) }, undefined, { retryAfterSeconds: 3 });
    expect(await metering.chargeFree(client)).toBeNull();
    expect(await metering.admit(call)).toEqual(told("free_allowance_used"));
    expect(await metering.quote(call, null)).toEqual(told("payment_required"));
  });

  it("has its free call however many mistakes were made", async () => {
    const { metering } = openMetering({ ...waits("mistakes"), free: 1 });
    expect(await metering.admit(call)).toMatchObject({ kind: "admitted", via: "free" });
  });

  it("for work gets no more of it for nothing, and the price where no call is free", async () => {
    const free = openMetering({ ...waits("work"), free: 1 });
    await expect(async () => free.metering.admit(call)).rejects.toEqual(limited);
    expect(() => free.metering.beginWork(client)).toThrow(limited);
    const spent = openMetering(waits("work"));
    expect(await spent.metering.admit(call)).toEqual(unpaid(["free_allowance_used"], { free: spent.quota(0) }));
  });

  it("with payments has none of them checked", async () => {
    const { metering, notes } = openMetering(waits("payments"));
    await expect(metering.admit({ ...call, payment })).rejects.toEqual(limited);
    expect(notes).toEqual([["known?", "0x1"]]);
  });

  it("is counted by its pass, or by the payer, where it has one", async () => {
    const workers = await Promise.all(
      [call, { ...call, passToken }, { ...call, payment }].map(async (one) => {
        const { metering } = openMetering({ free: one === call ? 1 : 0 });
        return ((await metering.admit(one)) as Admitted).worker;
      }),
    );
    expect(workers).toEqual([client, `pass ${passToken}`, `payer ${payer}`]);
  });
});

describe("requests that are not charged", () => {
  it("are counted apart: mistakes, work, payments", () => {
    const { metering, notes, counts } = openMetering();
    const worker = "pass x" as Client;
    metering.noteHeld(worker);
    metering.noteFailure(client, new ServiceError("invalid_json"), worker);
    metering.noteFailure(client, new ServiceError("transaction_not_found"), worker);
    metering.noteFailure(client, broken, worker);
    metering.noteFailure(client, new ServiceError("payments_unavailable"), worker);
    metering.noteUnsent(worker, 2);
    expect(counts()).toEqual({});
    metering.noteFailure(client, new ServiceError("invalid_payment"));
    metering.noteFailure(client, new ServiceError("rate_limited"));
    expect(counts()).toEqual({ refused: 2 });
    expect(notes).toEqual([
      ...[`spent work ${worker}`, `spent mistakes ${client}`, `spent work ${worker}`, `spent late work ${worker}`],
      ...[`spent late payments ${client}`, `spent late work ${worker}`, `spent late work ${worker}`],
      `spent mistakes ${client}`,
    ]);
  });

  it("tell what the client has left", async () => {
    const { metering, quota } = openMetering({ free: 7 });
    expect(await metering.quota(client)).toEqual({ free: quota(7) });
  });
});
