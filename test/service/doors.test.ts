import { describe, expect, it } from "vitest";
import { type Answer, type Explainer, entityTag } from "../../src/explain/explain.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { Previewer } from "../../src/preview/preview.ts";
import { createEvidenceDoor, createExplainDoor, createViewDoor } from "../../src/service/doors.ts";
import { createPreviewDoor, readPreviewQuestion } from "../../src/service/preview-door.ts";
import { explanationOf, hashOf } from "../support/sample.ts";

const hash = hashOf(7);
const account = `0x${"11".repeat(20)}` as never;
const signal = AbortSignal.abort();

/** An explainer that knows one answer, and notes what it is asked. */
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

describe("the door of explanations", () => {
  it("asks the explainer, and counts by the status", async () => {
    const { explainer, answer, explanation, asked } = explainerWith("reverted");
    const door = createExplainDoor(explainer);
    expect([door.event, door.nameOf(hash), door.fieldsOf(hash)]).toEqual(["explain", hash, { tx_hash: hash }]);
    expect([door.known(hash), door.known(hashOf(8))]).toEqual([answer, undefined]);
    expect(await door.make(hash, signal)).toBe(answer);
    expect(asked).toEqual([[hash, signal]]);
    expect([door.contentOf(answer), door.resultOf(answer)]).toEqual([explanation, "reverted"]);
    expect(door.resultIn('{"status":"success"}')).toBe("success");
  });
});

describe("the door of evidence", () => {
  it.each(["alone", "beside"] as const)("gives it %s", async (form) => {
    const { explainer, explanation, asked } = explainerWith("reverted");
    const door = createEvidenceDoor(explainer, form);
    const content =
      form === "alone" ? { tx_hash: hash, movements: ["one"] } : { ...explanation, evidence: { movements: ["one"] } };
    const body = Buffer.from(JSON.stringify(content));
    expect([door.event, door.nameOf(hash), door.fieldsOf(hash)]).toEqual([
      ...["evidence", `evidence:${form}:${hash}`, { tx_hash: hash }],
    ]);
    const made = await door.make(hash, signal);
    expect(asked).toEqual([[hash, signal]]);
    expect(made).toEqual({ source: "recording", body, etag: entityTag(body), content, status: "reverted" });
    // What was made once of an answer is kept with it.
    expect(door.known(hash)).toBe(made);
    expect(door.known(hashOf(8))).toBeUndefined();
    expect([door.contentOf(made), door.resultOf(made)]).toEqual([content, "reverted"]);
    expect(door.resultIn('{"status":"reverted"}')).toBe("reverted");
    expect(door.resultIn('{"tx_hash":"0x"}')).toBe("success");
  });
});

describe("the door of views", () => {
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
    const door = createViewDoor(viewer as never);
    expect([door.event, door.fieldsOf({ hash, account })]).toEqual(["view", { tx_hash: hash }]);
    expect(door.nameOf({ hash, account })).toBe(`view:${hash}:${account}`);
    expect(door.nameOf({ hash } as never)).toBe(`view:${hash}:`);
    expect(door.known({ hash, account })).toEqual([{ hash, account }]);
    expect(await door.make({ hash, account }, signal)).toBe(answer);
    expect(asked).toEqual([[{ hash, account }, signal]]);
    expect([door.contentOf(answer as never), door.resultOf(answer as never)]).toEqual([answer.view, "reverted"]);
    expect(door.resultIn('{"status":"reverted"}')).toBe("reverted");
  });
});

describe("the door of previews", () => {
  const transaction = readPreviewQuestion({ from: account, to: account, data: "0x" });
  const message = readPreviewQuestion({ from: account, typed_data: {} });
  const known = { preview: { outcome: "reverted" } };
  const previewer = {
    cached: () => known,
    preview: async (...given: unknown[]) => ({ preview: given }),
  } as unknown as Previewer;
  const messages = { explain: async (...given: unknown[]) => ({ message: given }) } as never;
  const door = createPreviewDoor(previewer, messages);

  it("tells transactions from messages", async () => {
    expect([transaction.kind, message.kind]).toEqual(["transaction", "message"]);
    expect([door.nameOf(transaction), door.nameOf(message)]).toEqual([
      ...[expect.stringMatching(/^preview:[0-9a-f]{64}$/), expect.stringMatching(/^message:[0-9a-f]{64}$/)],
    ]);
    expect(door.event).toBe("preview");
    expect(door.fieldsOf(message)).toEqual({ request: door.nameOf(message).slice(0, 24) });
    expect([door.known(transaction), door.known(message)]).toEqual([known, undefined]);
    const { request } = transaction as { request: object };
    const { question } = message as { question: object };
    expect(await door.make(transaction, signal)).toEqual({ preview: [request, signal] });
    expect(await door.make(message, signal)).toEqual({ message: [question, signal] });
  });

  it("counts all but what reverted as a success", () => {
    const answers = [{ message: { outcome: "reverted" } }, known, { preview: { outcome: "succeeded" } }] as never[];
    expect(answers.map((answer) => door.resultOf(answer))).toEqual(["success", "reverted", "success"]);
    expect(answers.map((answer) => door.contentOf(answer))).toEqual([
      ...[{ outcome: "reverted" }, { outcome: "reverted" }, { outcome: "succeeded" }],
    ]);
    expect(['{"outcome":"reverted"}', '{"outcome":"x"}'].map(door.resultIn)).toEqual(["reverted", "success"]);
  });

  it("refuses messages where none are explained", async () => {
    const refusal = { code: "invalid_preview", message: "Messages are not explained here." };
    await expect(createPreviewDoor(previewer).make(message, signal)).rejects.toMatchObject(refusal);
  });
});
