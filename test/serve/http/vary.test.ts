import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { addAnswerRoute } from "../../../src/serve/http/answer-route.ts";
import { joinVary } from "../../../src/serve/http/reply.ts";
import { createTroubleSender, sendFailureAsAsked } from "../../../src/serve/http/send-page.ts";
import { allowPages } from "../../../src/serve/service/cors.ts";

const origin = "https://app.example";
const failure = { status: 404, body: { error: "not_found", message: "M.", retryable: false } as const };
const failed = { kind: "failed", failure: { ...failure, retryAfterSeconds: undefined }, quota: undefined } as const;
const answered = { kind: "answered", answer: { body: Buffer.from("{}"), etag: '"a"', source: "network" } } as const;
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const quota = { free: { limit: 1, remaining: 0, resetSeconds: 1 } };
const bought = { kind: "bought", body: "{}", content: () => ({}), fresh: true, receipt, quota } as const;

/** The Vary header of a path whose answer has its own one, when pages of one origin may call it. */
async function varyOf(outcome: object, { own, pages = [origin], page = false }: Partial<Record<string, unknown>>) {
  const app = Fastify();
  addAnswerRoute(
    app,
    {
      ...({ method: "GET", path: "/a", resource: "/tx", answers: "usual" as never } as const),
      ...{ read: () => "what", asksInBody: false, ...(own !== undefined && { headers: { vary: String(own) } }) },
      ...(page === true && { sendChallengeOrFailure: createTroubleSender(() => "") }),
    },
    { service: { ask: () => outcome } as never, ruleset: "r1", pages: allowPages(pages as string[]) },
  );
  return (await app.inject({ url: "/a", headers: { origin } })).headers.vary;
}

describe("an answer that depends on Accept and on Origin", () => {
  it.each([
    ["an answer", answered],
    ["what was bought", bought],
  ])("says both: %s", async (_name, outcome) => {
    expect(await varyOf(outcome, { own: "Accept" })).toBe("Accept, Origin");
    expect(await varyOf(outcome, { own: "Accept", pages: [] })).toBe("Accept");
    expect(await varyOf(outcome, {})).toBe("Origin");
    expect(await varyOf(outcome, { pages: [] })).toBeUndefined();
  });

  it("says both where it is a page about a failure", async () => {
    expect(await varyOf(failed, { page: true })).toBe("Accept, Origin");
    expect(await varyOf(failed, { page: true, pages: [] })).toBe("Accept");
    for (const before of [undefined, "Origin"]) {
      const app = Fastify();
      app.get("/", (_request, reply) => {
        if (before !== undefined) reply.header("vary", before);
        return sendFailureAsAsked(reply, failed.failure);
      });
      expect((await app.inject("/")).headers.vary).toBe(joinVary("Accept", before));
    }
  });

  it("joins what there is", () => {
    expect([joinVary(), joinVary(undefined, "A"), joinVary("A", "B")]).toEqual(["", "A", "A, B"]);
  });
});
