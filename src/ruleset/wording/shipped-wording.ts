import { readFileSync } from "node:fs";
import { readDocument } from "../../documents/document.ts";
import { ruleDocumentCodes } from "../document/rule-schemas.ts";
import type { WordingDocument } from "./wording.ts";

/** The text of the phrases that a rule folder may leave out. */
export function shippedWordingText(): string {
  return readFileSync(new URL("../../../rules/wording.yaml", import.meta.url), "utf8");
}

/** These phrases. */
export function readShippedWording(): WordingDocument {
  return readDocument("wording.yaml", shippedWordingText(), ruleDocumentCodes).value as WordingDocument;
}
