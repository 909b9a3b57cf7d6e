import { readFileSync } from "node:fs";
import { findCaseDisagreement } from "../../../model/case-agreement.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../../model/case-file.ts";

/** Newest version of the format, or what is wrong. Not checked against the schema: lint reads hundreds. */
export function readRecording(path: string): CaseFile | { problem: string } {
  try {
    const file = JSON.parse(readFileSync(path, "utf8")) as CaseFile | CaseFileV1;
    const disagreement = findCaseDisagreement(file);
    return disagreement === undefined
      ? upgradeCase(file)
      : { problem: `is of different transactions: ${disagreement}` };
  } catch {
    return { problem: "is no case file" };
  }
}
