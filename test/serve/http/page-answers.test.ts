import { describe, expect, it } from "vitest";
import { entityTag } from "../../../src/gather/explain/explain.ts";
import { createPreviewPages } from "../../../src/serve/http/preview-page/preview-page.ts";
import { createTransactionAnswers, type PageMaker } from "../../../src/serve/http/transaction-answers.ts";
import type { PreviewKind } from "../../../src/serve/service/preview-answers.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { bareEvidence, barePage, fullMessage, fullPage, fullPreview } from "../web/sample.ts";

const hash = hashOf(1);
const full = fullPage();
const caseFile = caseFileOf(hash);
const body = Buffer.from(JSON.stringify(full.explanation));
const signal = new AbortController().signal;
const answer = {
  ...{ source: "network", explanation: full.explanation, evidence: full.evidence, body, etag: '"own"' },
} as const;

/** Makes pages of one transaction. `asked` lists what was decided and viewed. */
function maker(more: Partial<PageMaker> = {}) {
  const asked: string[] = [];
  const explainer = {
    cached: (one: string) => (one === hash ? answer : undefined),
    examine: async (one: string, given: AbortSignal) => {
      asked.push(`examine ${one === hash} ${given === signal}`);
      return { answer, caseFile };
    },
  };
  const pages = {
    explainer,
    decide: (file: unknown, given: AbortSignal) => {
      asked.push(`decide ${file === caseFile} ${given === signal}`);
      return { explanation: full.explanation, pictureFacts: () => full.facts, view: async () => full.view };
    },
    ...more,
  } as unknown as PageMaker;
  return { asked, answers: (form: "page" | "drawing" | "answer") => createTransactionAnswers(form, pages) };
}

describe("pages, drawings and answers of a transaction", () => {
  it.each([
    ["page", "tx"],
    ["drawing", "tx.svg"],
    ["answer", "tx.json"],
  ] as const)("a %s is sold as %s", (form, name) => {
    const answers = maker().answers(form);
    expect([answers.event, answers.nameOf(hash), answers.fieldsOf(hash)]).toEqual([
      name,
      `${name}:${hash}`,
      { tx_hash: hash },
    ]);
    expect(answers.resultIn("")).toBe("success");
    expect(answers.resultOf({ body, etag: "", source: "network", status: "reverted" })).toBe("reverted");
  });

  it("are remembered where they are answers", () => {
    const { answers } = maker();
    const sold = { body, etag: '"own"', source: "network", status: "reverted" };
    expect(answers("answer").known(hash)).toEqual(sold);
    expect(answers("answer").known(hashOf(2))).toBeUndefined();
    expect([answers("page").known(hash), answers("drawing").known(hash)]).toEqual([undefined, undefined]);
    expect(answers("answer").contentOf(sold as never)).toEqual(JSON.parse(body.toString()));
  });

  it("are made of the same case", async () => {
    const { answers, asked } = maker();
    expect(await answers("answer").make(hash, signal)).toEqual({
      ...{ body, etag: '"own"', source: "network", status: "reverted" },
    });
    expect(asked.splice(0)).toEqual(["examine true true"]);
    const drawing = await answers("drawing").make(hash, signal);
    expect(drawing.body.toString()).toMatch(/^<svg xmlns=/);
    expect(drawing).toMatchObject({ etag: entityTag(drawing.body), source: "network", status: "reverted" });
    const page = await answers("page").make(hash, signal);
    expect(page.body.toString()).toMatch(/^<!doctype html>/);
    expect(page.body.toString()).toContain("Worth then");
    expect(asked).toEqual(["examine true true", "decide true true", "examine true true", "decide true true"]);
  });

  it("have the view that a viewer gives", async () => {
    const viewed = { ...full.view, balance_changes: [] };
    const { answers } = maker({ viewer: { ofAct: async () => viewed as never } });
    const text = (await answers("page").make(hash, signal)).body.toString();
    expect(text).not.toContain("Chainlink");
    expect((await maker().answers("page").make(hash, signal)).body.toString()).toContain("Chainlink");
  });
});

describe("pages of previews", () => {
  const form = { request: "{}", from: "" };
  const message = { kind: "message", question: { from: `0x${"9".repeat(40)}` } } as never;
  const transaction = { kind: "transaction", request: {} } as never;
  const open = (made: object, result: "success" | "reverted" = "success") => {
    const previews = {
      nameOf: () => "name",
      fieldsOf: () => ({ request: "r" }),
      make: async (_asked: unknown, given: AbortSignal) => ({ ...made, signal: given }),
      resultOf: () => result,
    };
    const decide = () => ({ pictureFacts: () => barePage().facts }) as never;
    return createPreviewPages(previews as unknown as PreviewKind, decide);
  };
  const previewed = { source: "network", preview: fullPreview(), evidence: bareEvidence(), caseFile };

  it("are sold by themselves, and never remembered", () => {
    const answers = open({});
    const asked = { question: transaction, form };
    expect([answers.event, answers.nameOf(asked), answers.fieldsOf(asked)]).toEqual([
      ...["preview.page", "page:name", { request: "r" }],
    ]);
    expect([answers.known(asked), answers.contentOf({} as never), answers.resultIn("")]).toEqual([
      undefined,
      {},
      "success",
    ]);
  });

  it.each(["success", "reverted"] as const)("count as their answer: %s", async (result) => {
    const answers = open(previewed, result);
    const page = await answers.make({ question: transaction, form }, signal);
    expect(page).toMatchObject({ status: result, source: "network", etag: entityTag(page.body) });
    expect(page.body.toString()).toContain("<strong>Not happened.</strong>");
    expect(answers.resultOf(page)).toBe(result);
  });

  it("tell a message as one, and nothing else so", async () => {
    const told = { source: "network", message: fullMessage() };
    const page = await open(told).make({ question: message, form }, signal);
    expect(page.body.toString()).toContain("What others do with the signature later is not known.");
    await expect(open(told).make({ question: transaction, form }, signal)).rejects.toThrow(TypeError);
    const other = await open(previewed).make({ question: message, form }, signal);
    expect(other.body.toString()).toContain("<strong>Not happened.</strong>");
  });
});
