import { describe, expect, it } from "vitest";
import { type Answer, type Explainer, entityTag } from "../../../src/gather/explain/explain.ts";
import type { Previewer } from "../../../src/gather/preview/preview.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { createEvidence, createExplanations, createViews } from "../../../src/serve/service/mined-answers.ts";
import { createPreviews, readPreviewQuestion } from "../../../src/serve/service/preview-answers.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(7);
const account = `0x${"11".repeat(20)}` as never;
const signal = AbortSignal.abort();

/** An explainer that knows one answer and notes what it is asked. */
function explainerWith(status: "success" | "reverted") {
  const asked: unknown[][] = [];
  const explanation = explanationOf(hash, { status });
  const answer = { source: "recording", explanation, evidence: { movements: ["one"] } } as unknown as Answer;
  const explainer = {
    cached: (one: Hash) => (one === hash ? answer : undefined),
    explain: async (...given: unknown[]) => {
      asked.push(given);
      return answer;
    },
  } as unknown as Explainer;
  return { explainer, answer, explanation, asked };
}

const asker = { client: "192.0.2.1" };

describe("the answers that are explanations", () => {
  it("asks the explainer, and counts by the status", async () => {
    const { explainer, answer, explanation, asked } = explainerWith("reverted");
    const answers = createExplanations(explainer);
    expect([answers.event, answers.nameOf(hash), answers.fieldsOf(hash)]).toEqual(["explain", hash, { tx_hash: hash }]);
    expect([answers.known(hash), answers.known(hashOf(8))]).toEqual([answer, undefined]);
    expect(await answers.make(hash, signal, asker)).toBe(answer);
    expect(asked).toEqual([[hash, signal, asker]]);
    expect([answers.contentOf(answer), answers.resultOf(answer)]).toEqual([explanation, "reverted"]);
    expect(answers.resultIn('{"status":"success"}')).toBe("success");
  });
});

describe("the answers that are evidence", () => {
  it.each(["alone", "beside"] as const)("gives it %s", async (form) => {
    const { explainer, explanation, asked } = explainerWith("reverted");
    const answers = createEvidence(explainer, form);
    const content =
      form === "alone" ? { tx_hash: hash, movements: ["one"] } : { ...explanation, evidence: { movements: ["one"] } };
    const body = Buffer.from(JSON.stringify(content));
    expect([answers.event, answers.nameOf(hash), answers.fieldsOf(hash)]).toEqual([
      ...["evidence", `evidence:${form}:${hash}`, { tx_hash: hash }],
    ]);
    const made = await answers.make(hash, signal, asker);
    expect(asked).toEqual([[hash, signal, asker]]);
    expect(made).toEqual({ source: "recording", body, etag: entityTag(body), content, status: "reverted" });
    // What was made once of an answer is kept with it.
    expect(answers.known(hash)).toBe(made);
    expect(answers.known(hashOf(8))).toBeUndefined();
    expect([answers.contentOf(made), answers.resultOf(made)]).toEqual([content, "reverted"]);
    expect(answers.resultIn('{"status":"reverted"}')).toBe("reverted");
    expect(answers.resultIn('{"tx_hash":"0x"}')).toBe("success");
  });
});

describe("the answers that are views", () => {
  it("asks the viewer, and counts by the status", async () => {
    const answer = { view: { status: "reverted" } };
    const asked: unknown[][] = [];
    const viewer = {
      known: (question: unknown) => [question],
      view: async (...given: unknown[]) => {
        asked.push(given);
        return answer;
      },
    };
    const answers = createViews(viewer as never);
    expect([answers.event, answers.fieldsOf({ hash, account })]).toEqual(["view", { tx_hash: hash }]);
    expect(answers.nameOf({ hash, account })).toBe(`view:${hash}:${account}`);
    expect(answers.nameOf({ hash } as never)).toBe(`view:${hash}:`);
    expect(answers.known({ hash, account })).toEqual([{ hash, account }]);
    expect(await answers.make({ hash, account }, signal, asker)).toBe(answer);
    expect(asked).toEqual([[{ hash, account }, signal, asker]]);
    expect([answers.contentOf(answer as never), answers.resultOf(answer as never)]).toEqual([answer.view, "reverted"]);
    expect(answers.resultIn('{"status":"reverted"}')).toBe("reverted");
  });
});

describe("the answers that are previews", () => {
  const transaction = readPreviewQuestion({ from: account, to: account, data: "0x" });
  const message = readPreviewQuestion({ from: account, typed_data: {} });
  const known = { preview: { outcome: "reverted" } };
  const previewer = {
    cached: () => known,
    preview: async (...given: unknown[]) => ({ preview: given }),
  } as unknown as Previewer;
  const messages = { explain: async (...given: unknown[]) => ({ message: given }) } as never;
  const answers = createPreviews(previewer, messages);

  it("tells transactions from messages", async () => {
    expect([transaction.kind, message.kind]).toEqual(["transaction", "message"]);
    expect([answers.nameOf(transaction), answers.nameOf(message)]).toEqual([
      ...[expect.stringMatching(/^preview:[0-9a-f]{64}$/), expect.stringMatching(/^message:[0-9a-f]{64}$/)],
    ]);
    expect(answers.event).toBe("preview");
    expect(answers.fieldsOf(message)).toEqual({ request: answers.nameOf(message).slice(0, 24) });
    expect([answers.known(transaction), answers.known(message)]).toEqual([known, undefined]);
    const { request } = transaction as { request: object };
    const { question } = message as { question: object };
    expect(await answers.make(transaction, signal, asker)).toEqual({ preview: [request, signal, asker] });
    expect(await answers.make(message, signal, asker)).toEqual({ message: [question, signal, asker] });
  });

  it("counts all but what reverted as a success", () => {
    const made = [{ message: { outcome: "reverted" } }, known, { preview: { outcome: "succeeded" } }] as never[];
    expect(made.map((answer) => answers.resultOf(answer))).toEqual(["success", "reverted", "success"]);
    expect(made.map((answer) => answers.contentOf(answer))).toEqual([
      ...[{ outcome: "reverted" }, { outcome: "reverted" }, { outcome: "succeeded" }],
    ]);
    expect(['{"outcome":"reverted"}', '{"outcome":"x"}'].map(answers.resultIn)).toEqual(["reverted", "success"]);
  });

  it("refuses messages where none are explained", async () => {
    const refusal = { code: "invalid_preview", message: "Messages are not explained here." };
    await expect(createPreviews(previewer).make(message, signal)).rejects.toMatchObject(refusal);
  });
});
