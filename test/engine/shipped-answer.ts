import type { CaseFile, RpcLog } from "../../src/model/case-file.ts";
import { expectSound } from "../property/invariants.ts";
import { explainCase } from "../property/world.ts";
import { calldata, caseOf } from "../support/case-of.ts";

type Parts = Parameters<typeof caseOf>[0];
const listed: CaseFile["trace"] = {
  source: "internal_transfers",
  provider: "explorer.example",
  internal_transfers: [],
};

/** The answer of the shipped rules to a case of which no ether moved inside: here are the cases that other explainers got wrong. */
export function explain(parts: NonNullable<Parts>) {
  const file = caseOf({ trace: listed, ...parts });
  expectSound(file);
  return explainCase(file).explanation;
}

export const logs = (...list: RpcLog[]) => ({ receipt: { logs: list } });
/** A call that no rule knows. */
export const unknownCall = calldata("function whatever(uint256 amount)", [1n]);
