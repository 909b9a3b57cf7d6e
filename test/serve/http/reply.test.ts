import { EventEmitter } from "node:events";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../../src/kernel/error.ts";
import { sendFailure, whenGone } from "../../../src/serve/http/reply.ts";
import { createTroubleSender, sendFailureAsAsked } from "../../../src/serve/http/send-page.ts";
import type { Failure } from "../../../src/serve/service/failure.ts";
import { failureOf, quota, quotaHeaders } from "./told-answer.ts";

describe("replies", () => {
  const sent = async (send: (reply: FastifyReply) => unknown, headers: Record<string, string> = {}) => {
    const app = Fastify();
    app.get("/*", (_request: FastifyRequest, reply) => void send(reply));
    const { statusCode, headers: told, body: text } = await app.inject({ url: "/tx?q=1", headers });
    return { statusCode, told, text };
  };

  it.each<[ErrorCode, string]>([
    ["overloaded", "close"],
    ["rate_limited", "close"],
    ["internal", "keep-alive"],
  ])("that fail with %s: the connection is told %s", async (code, connection) => {
    const { told } = await sent((reply) => sendFailure(reply, failureOf(code)));
    expect([told.connection, told["retry-after"]]).toEqual([connection, undefined]);
  });

  it("that fail are pages for browsers, and JSON for programs", async () => {
    const send = (failure: Failure) => (reply: FastifyReply) => sendFailureAsAsked(reply, failure);
    const program = await sent(send(failureOf("internal", 3)));
    expect([program.told.vary, program.told["retry-after"], program.text[0]]).toEqual(["Accept", "3", "{"]);
    const browser = { accept: "text/html" };
    const page = await sent(send(failureOf("overloaded", 0)), browser);
    expect(page.statusCode).toBe(503);
    expect(page.told).toMatchObject({ vary: "Accept", "retry-after": "0", "cache-control": "no-store" });
    expect(page.told["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.text).toContain("<p>M.</p><p>Trying again later may help.</p>");
    const lost = await sent(send(failureOf("not_found")), browser);
    expect(lost.told["retry-after"]).toBeUndefined();
    expect(lost.text).toContain("The address leads nowhere.");
  });

  it("that are no page say what a call costs, or what went wrong", async () => {
    const trouble = createTroubleSender(({ message }, { url }) => `${message} ${url}`);
    const failed = await sent((reply) =>
      trouble(reply, { kind: "failed", failure: failureOf("internal", 4), quota }, { "x-cors": "1" }),
    );
    expect([failed.statusCode, failed.text]).toEqual([503, "M. /tx?q=1"]);
    expect(failed.told).toMatchObject({ ...quotaHeaders, vary: "Accept", "retry-after": "4", "x-cors": "1" });
    const quiet = await sent((reply) => trouble(reply, { kind: "failed", failure: failureOf("internal"), quota }, {}));
    expect(quiet.told["retry-after"]).toBeUndefined();
    const priced = (accepts: object[]) =>
      sent((reply) => {
        const required = { resource: { url: "https://x.example/tx" }, accepts };
        trouble(reply, { kind: "challenged", challenge: { header: "o", required } as never, quota }, {});
      });
    const price = await priced([{ amount: "20000" }, { amount: "1" }]);
    expect(price.statusCode).toBe(402);
    expect(price.text).toContain("Until then an explanation costs 0.02 USDC.");
    expect(price.text).toContain("https://x.example/tx");
    expect(price.told["payment-required"]).toBe("o");
    expect((await priced([])).text).not.toContain("Until then");
  });

  it("tell when their caller goes, or has gone", () => {
    const raw = Object.assign(new EventEmitter(), { destroyed: false });
    const signal = whenGone({ raw } as never)();
    expect(signal.aborted).toBe(false);
    raw.emit("close");
    raw.destroyed = true;
    expect([signal.aborted, whenGone({ raw } as never)().aborted]).toEqual([true, true]);
  });
});
