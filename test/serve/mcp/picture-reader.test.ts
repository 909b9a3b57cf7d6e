import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ExaminedCase } from "../../../src/gather/explain/explain.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { createPictureReader } from "../../../src/serve/mcp/picture-app/picture-resource.ts";
import { shortenExplanation } from "../../../src/serve/mcp/short-explanation.ts";
import { narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import { caseFileOf, explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";

const hash = hashOf(1);
const caseFile = caseFileOf(hash);
const explanation = explanationOf(hash);
const body = Buffer.from(JSON.stringify(explanation));
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const proofs = { whole: sha256(body), short: sha256(JSON.stringify(shortenExplanation(explanation))) };

/** Reads one picture when only the answer of `hash` is remembered, and notes what was decided again. */
async function read(uri: string, signal?: AbortSignal) {
  const decided: unknown[] = [];
  const known = { answer: { body, explanation }, caseFile } as unknown as ExaminedCase;
  const explainer = { examined: (asked: Hash) => (asked === hash ? known : undefined) };
  const decide = (given: CaseFile, given2?: AbortSignal) => {
    decided.push(given, given2);
    return { explanation, pictureFacts: pictureFactsOf };
  };
  const texts = await createPictureReader({ explainer, decide } as never)(uri, signal);
  return { texts, decided };
}

describe("a picture", () => {
  it.each(Object.entries(proofs))(
    "is drawn wide and narrow for a client that has the %s answer",
    async (_form, proof) => {
      const uri = `txgloss://picture/${hash}/${proof}`;
      const { signal } = new AbortController();
      const pictured = { explanation, facts: pictureFactsOf() };
      const { texts, decided } = await read(uri, signal);
      expect(texts).toEqual([
        { uri: `${uri}#wide`, mimeType: "image/svg+xml", text: pictureFile(pictured, wideSize) },
        { uri: `${uri}#narrow`, mimeType: "image/svg+xml", text: pictureFile(pictured, narrowSize) },
      ]);
      expect(decided).toEqual([caseFile, signal]);
    },
  );

  it.each([
    ["no proof", `txgloss://picture/${hash}`],
    ["an empty proof", `txgloss://picture/${hash}/`],
    ["another proof", `txgloss://picture/${hash}/${sha256("x")}`],
    ["a part of the proof", `txgloss://picture/${hash}/${proofs.whole.slice(0, -1)}`],
    ["the proof alone", `txgloss://picture/${proofs.whole}`],
    ["no hash", `txgloss://picture//${proofs.whole}`],
    ["a hash that is none", `txgloss://picture/x/${proofs.whole}`],
    ["a transaction that is not remembered", `txgloss://picture/${hashOf(2)}/${proofs.whole}`],
    ["another address of the same length", `txgloss://pictura/${hash}/${proofs.whole}`],
    ["no address", `${hash}/${proofs.whole}`],
    ["nothing", ""],
  ])("is not drawn for %s", async (_name, uri) => {
    expect(await read(uri)).toEqual({ texts: undefined, decided: [] });
  });
});
