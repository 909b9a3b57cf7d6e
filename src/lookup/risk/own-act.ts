import { decodeFunctionData, parseAbi } from "viem";
import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { decimalText } from "../../kernel/amount.ts";
import { type Hex, readHex, readQuantity } from "../../kernel/hex.ts";
import { type JsonObject, readObject } from "../../network/http/json-object.ts";

/** The accounts that a listed transaction paid, called or approved. The transaction is one that the account sent itself. */
export function partiesOfTransaction(row: JsonObject): Address[] {
  if (row.status === "error" || row.result === "error") return [];
  const created = partyIn(row.created_contract);
  const to = partyIn(row.to);
  if (to === undefined) return created === undefined ? [] : [created];
  const paid = (readQuantity(row.value ?? 0) ?? 0n) > 0n;
  const input = readHex(row.raw_input) ?? "0x";
  // A call without value and data does not count: address poisoning uses such calls.
  if (input.length < 10) return paid ? [to] : [];
  const token = partiesOfTokenCall(input);
  return token === undefined ? [to] : [...token, ...(paid ? [to] : [])];
}

/** Receiver of a transfer, grantee of an approval; none when nothing was sent or granted. undefined: another call. */
function partiesOfTokenCall(input: Hex): Address[] | undefined {
  let call: { functionName: string; args: readonly unknown[] };
  try {
    call = decodeFunctionData({ abi: tokenAbi, data: input });
  } catch {
    return undefined;
  }
  const { functionName, args } = call;
  if (functionName === "setApprovalForAll") return args[1] === true ? named(args[0]) : [];
  // Permit2 names the token first.
  const isPermit2 = functionName === "approve" && args.length === 4;
  const party = isPermit2 ? args[1] : functionName === "transferFrom" ? args[1] : args[0];
  const amount = isPermit2 || functionName === "transferFrom" ? args[2] : args[1];
  return typeof amount === "bigint" && amount > 0n ? named(party) : [];
}

const tokenAbi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function setApprovalForAll(address operator, bool approved)",
]);

/** The receiver of a listed token transfer; undefined when it moved nothing. */
export function receiverOfTransfer(row: JsonObject): Address | undefined {
  const total = readObject(row.total);
  const value = readQuantity(total?.value);
  if (value === 0n || (value === undefined && total?.token_id === undefined)) return undefined;
  return partyIn(row.to);
}

/** What a listed transfer of fungible tokens moved, as decimal text, and when; undefined when the row does not say. */
export function paymentOf(row: JsonObject): { amount: string; time: string } | undefined {
  const total = readObject(row.total);
  const value = readQuantity(total?.value);
  const decimals = readQuantity(total?.decimals);
  const time = typeof row.timestamp === "string" ? Date.parse(row.timestamp) : Number.NaN;
  if (value === undefined || decimals === undefined || decimals > 77n || Number.isNaN(time)) return undefined;
  return { amount: decimalText(value, Number(decimals)), time: new Date(time).toISOString() };
}

/** The address of a party as Blockscout writes it; undefined for the zero address. */
export function partyIn(value: unknown): Address | undefined {
  const address = readAddress(readObject(value)?.hash);
  return address === zeroAddress ? undefined : address;
}

function named(value: unknown): Address[] {
  const address = readAddress(value);
  return address === undefined || address === zeroAddress ? [] : [address];
}
