import { createHash } from "node:crypto";
import type { Answer, Explainer } from "../../../gather/explain/explain.ts";
import { readHash } from "../../../kernel/hex.ts";
import type { MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { ViewedDecision } from "../../../model/decision.ts";
import { narrowSize, pictureFile, wideSize } from "../../picture/picture.ts";
import { shortenExplanation } from "../short-explanation.ts";

/** As in `resources/read`. */
export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

export interface PictureSource {
  explainer: Explainer;
  /** For facts that the answer lacks. */
  decide(caseFile: CaseFile, signal?: AbortSignal): MaybePromise<Pick<ViewedDecision, "explanation" | "pictureFacts">>;
}

/** Then hash, slash, SHA-256 of the answer's text. */
export const pictureUri = "txgloss://picture/";

/**
 * Only of remembered cases. A picture is free, so only who has the answer gets it: the URI needs the SHA-256 of its text, full or short.
 * Else undefined.
 */
export function createPictureReader({ explainer, decide }: PictureSource) {
  return async (uri: string, signal?: AbortSignal): Promise<ResourceText[] | undefined> => {
    if (!uri.startsWith(pictureUri)) return undefined;
    const [name = "", proof = ""] = uri.slice(pictureUri.length).split("/");
    const hash = readHash(name);
    // A free call must not use the network.
    const examined = hash && explainer.examined(hash);
    if (examined === undefined || !proofsOf(examined.answer).includes(proof)) return undefined;
    const { explanation, pictureFacts } = await decide(examined.caseFile, signal);
    const pictured = { explanation, facts: pictureFacts() };
    return [wideSize, narrowSize].map((size) => ({
      uri: `${uri}#${size.id}`,
      mimeType: "image/svg+xml",
      text: pictureFile(pictured, size),
    }));
  };
}

export type ReadPicture = ReturnType<typeof createPictureReader>;

function proofsOf({ body, explanation }: Answer): string[] {
  const short = JSON.stringify(shortenExplanation(explanation));
  return [body, short].map((text) => createHash("sha256").update(text).digest("hex"));
}
