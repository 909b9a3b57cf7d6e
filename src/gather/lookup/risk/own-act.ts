import { decodeFunctionData, parseAbi } from "viem";
import { type Address, readAddress, zeroAddress } from "../../../kernel/address.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { type Hex, readHex, readQuantity } from "../../../kernel/hex.ts";

/** null: revokes; undefined: another call. */
export type ReadGrantee = (to: Address, input: Hex) => Address | null | undefined;

/** Paid, called or approved. The account sent it. */
export function partiesOfTransaction(row: JsonObject, readGrantee: ReadGrantee): Address[] {
  if (row.status === "error" || row.result === "error") return [];
  const to = partyIn(row.to);
  if (to === undefined) return named(partyIn(row.created_contract));
  const paid = (readQuantity(row.value ?? 0) ?? 0n) > 0n ? [to] : [];
  const input = readHex(row.raw_input) ?? "0x";
  // Without value and data: used by address poisoning.
  if (input.length < 10) return paid;
  const receiver = receiverOfCall(input);
  const party = receiver === undefined ? readGrantee(to, input) : receiver;
  return party === undefined ? [to] : [...named(party), ...paid];
}

/** EIP-20 `transfer`, `transferFrom`. null: nothing sent; undefined: another call. */
function receiverOfCall(input: Hex): Address | null | undefined {
  let call: { functionName: string; args: readonly unknown[] };
  try {
    call = decodeFunctionData({ abi: transfers, data: input });
  } catch {
    return undefined;
  }
  const [receiver, amount] = call.args.slice(-2);
  return amount === 0n ? null : readAddress(receiver);
}

const transfers = parseAbi([
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)",
]);

/** undefined: moved nothing. */
export function receiverOfTransfer(row: JsonObject): Address | undefined {
  const total = readObject(row.total);
  const value = readQuantity(total?.value);
  if (value === 0n || (value === undefined && total?.token_id === undefined)) return undefined;
  return partyIn(row.to);
}

/** Fungible; decimal text and time. */
export function paymentOf(row: JsonObject): { amount: string; time: string } | undefined {
  const total = readObject(row.total);
  const value = readQuantity(total?.value);
  const decimals = readQuantity(total?.decimals);
  const time = typeof row.timestamp === "string" ? Date.parse(row.timestamp) : Number.NaN;
  if (value === undefined || decimals === undefined || decimals > 77n || Number.isNaN(time)) return undefined;
  return { amount: decimalText(value, Number(decimals)), time: new Date(time).toISOString() };
}

/** Blockscout's form; not the zero address. */
export function partyIn(value: unknown): Address | undefined {
  const address = readAddress(readObject(value)?.hash);
  return address === zeroAddress ? undefined : address;
}

function named(party: Address | null | undefined): Address[] {
  return party === undefined || party === null || party === zeroAddress ? [] : [party];
}
