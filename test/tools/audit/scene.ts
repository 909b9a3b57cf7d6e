import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../../src/engine/engine.ts";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import { decimalText } from "../../../src/kernel/amount.ts";
import { type CaseFile, type CaseFileV1, type RpcFrame, upgradeCase } from "../../../src/model/case-file.ts";
import type { AssetMoved, Explanation } from "../../../src/model/explanation.ts";
import { auditAnswer } from "../../../src/tools/audit/audit.ts";
import { knowledgeOf } from "../../../src/tools/audit/known-contracts.ts";
import type { Law } from "../../../src/tools/audit/violation.ts";
import { type CaseParts, calldata, caseOf, frame, logOf, traced, usdc } from "../../support/case-of.ts";
import { userOperationEvent } from "../../support/envelopes.ts";
import { explanationOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { recordingOf } from "../cli/txgloss-process.ts";

export const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
export const knowledge = knowledgeOf({ ...engine, protocols: engine.catalog.protocols });

export const entryPoint = toAddress("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
export const permit2 = toAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3");
/** Across' SpokePool. */
export const spokePool = toAddress("0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64");
export const safeImplementation = toAddress("0x41675C099F32341bf84BFc5382aF534df5C7461a");

/** A recorded transaction. */
export function recorded(hash: string): CaseFile {
  return upgradeCase(JSON.parse(readFileSync(recordingOf(hash), "utf8")) as CaseFile | CaseFileV1);
}

/** Today's answer to a case. */
export function answerTo(file: CaseFile): Explanation {
  return engine.decide(file).explanation;
}

/** Laws that an answer breaks, each once. */
export function lawsBroken(file: CaseFile, answer: Explanation): Law[] {
  return [...new Set(auditAnswer(file, answer, knowledge).map(({ law }) => law))];
}

/** A case with a call tree; `calls` are those inside the transaction's own. */
export function tracedCase(calls: RpcFrame[], parts: CaseParts = {}): CaseFile {
  const { transaction } = caseOf(parts);
  return caseOf({ ...parts, trace: traced({ ...frame(transaction.from, transaction.to ?? ""), calls }) });
}

/** An answer with this summary and these movements. */
export function told(summary: string, moved: AssetMoved[] = [], parts: Partial<Explanation> = {}): Explanation {
  const assets = { summary, assets_moved: moved, counterparties: [], action_type: "contract_interaction" };
  return explanationOf(caseOf().tx_hash, { ...assets, ...parts });
}

/** An entry of `assets_moved`: USDC in base units. */
export function movedUsdc(from: string, to: string, units: bigint): AssetMoved {
  return movedToken({ symbol: "USDC", address: usdc, decimals: 6 }, from, to, units);
}

export function movedEther(from: string, to: string, wei: bigint): AssetMoved {
  const amount = decimalText(wei, 18);
  return { token: "ETH", amount, ...parties(from, to), token_address: null, standard: "native" };
}

export function movedToken(
  token: { symbol: string; address: string; decimals: number },
  from: string,
  to: string,
  units: bigint,
): AssetMoved {
  const amount = decimalText(units, token.decimals);
  const token_address = checksum(toAddress(token.address));
  return { token: token.symbol, amount, ...parties(from, to), token_address, standard: "erc20" };
}

function parties(from: string, to: string): { from: string; to: string } {
  return { from: checksum(toAddress(from)), to: checksum(toAddress(to)) };
}

export const operationLog = (at: string, account: string) => userOperationEvent(account, { at });

export function approvalLog(at: string, owner: string, spender: string, value: bigint) {
  const signature = "event Approval(address indexed owner, address indexed spender, uint256 value)";
  return logOf(at, signature, { owner, spender, value });
}

/** A call of `transferFrom` at a token. */
export function taking(by: string, at: string, owner: string, to: string, value: bigint): RpcFrame {
  const input = calldata("function transferFrom(address from, address to, uint256 value)", [owner, to, value]);
  return frame(by, at, { input });
}

export const thousand = 1_000_000_000n;
