import type { Hex } from "viem";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { GateKeeper } from "../../../src/engine/unwrap/gates.ts";
import { unwrap } from "../../../src/engine/unwrap/unwrap.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import { labels, ruleset } from "../../property/world.ts";
import { alice, bob, calldata, caseOf, logOf, token, transferLog, usdc, vault, weth } from "../../support/case-of.ts";
import { entryPoint, executeBatch, handleOps, opOf, userOperationEvent, word } from "../../support/envelopes.ts";

export const pimlico = "0x00000000000000fb866daaa79352cc568a005d96";
export const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";
export const ether = 10n ** 18n;
/** A paymaster and its purse. */
export const [paymaster, treasury] = [`0x${"fe".repeat(20)}`, `0x${"fd".repeat(20)}`];

/** The calldata of a bundler: for each account, the call that it asks for. */
export const operations = (...asked: [string, Hex][]) =>
  handleOps(
    asked.map(([sender, callData]) => opOf(sender, 1n, callData)),
    alice,
  );
export const operation = (callData: Hex) => operations([bob, callData]);
export const operationEvent = (by: string, { at = entryPoint, success = true, cost = 1n, sender = bob } = {}): RpcLog =>
  userOperationEvent(sender, { at, success, paymaster: by, cost });
export const sponsored = (of: string, amount: bigint, at = pimlico): RpcLog =>
  logOf(
    at,
    "event UserOperationSponsored(bytes32 indexed userOpHash, address indexed user, uint8 paymasterMode, address token, uint256 tokenAmountPaid, uint256 exchangeRate)",
    { userOpHash: word, user: bob, paymasterMode: 1, token: of, tokenAmountPaid: amount, exchangeRate: 1n },
  );
export const batch = (...calls: [string, Hex][]) =>
  executeBatch(calls.map(([target, data]) => ({ target, value: 0n, data })));
export const approve = (spender: string) =>
  calldata("function approve(address spender, uint256 amount)", [spender, 10n ** 9n]);
export const transfer = (to: string, amount: bigint) =>
  calldata("function transfer(address to, uint256 amount)", [to, amount]);
export const transferFrom = (from: string, to: string, amount: bigint) =>
  calldata("function transferFrom(address from, address to, uint256 amount)", [from, to, amount]);

export const caseWith = (callData: Hex, logs: RpcLog[], rest: Parameters<typeof caseOf>[0] = {}): CaseFile =>
  caseOf({ ...rest, transaction: { to: entryPoint, input: operation(callData) }, receipt: { logs } });

/** Fees, as `token amount to`. */
export function feesOf(file: CaseFile): string[] {
  const tx = normalize(file, labels);
  const names: Record<string, string> = { [usdc]: "USDC", [dai]: "DAI", [token]: "token" };
  return unwrap(tx, ruleset, new GateKeeper(tx, file)).tx.movements.flatMap(({ fee, token: of, amount, to }) =>
    fee ? `${names[of ?? ""]} ${amount} ${to === bob ? "back" : "paid"}` : [],
  );
}

export const swap = [transferLog(dai, bob, vault, 5n * ether), transferLog(weth, vault, bob, ether / 1000n)];
export const trade = batch([usdc, approve(paymaster)], [vault, "0x12345678"]);
export const cents = transferLog(usdc, bob, paymaster, 20_000n);
