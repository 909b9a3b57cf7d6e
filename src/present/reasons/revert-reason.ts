import type { AbiType, Value } from "../../abi/abi-type.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import type { Address } from "../../kernel/address.ts";
import { groupThousands } from "../../kernel/amount.ts";
import { shortHex, utf8Text } from "../../kernel/hex.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Transaction } from "../../model/transaction.ts";
import { quoted, trusted } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";

/** Error(string) and Panic(uint256) of Solidity ("Error handling: Assert, Require, Revert and Exceptions"). */
const errorSelector = "0x08c379a0";
const panicSelector = "0x4e487b71";
/** An error may hold the error of an inner call. This many levels are read. */
const depthMax = 2;

/** Why a transaction reverted, in words; null when it did not revert or nothing is known. Text from the contract is quoted. */
export function revertReason(
  tx: Transaction,
  errors: ReadonlyMap<string, FunctionItem>,
  teller: Teller,
): Phrase | null {
  if (tx.status !== "reverted") return null;
  const data = tx.revertData;
  if (data !== null && data.length >= 10) {
    const known = tellError({ errors, teller }, data, depthMax);
    return known === undefined ? teller.say("reason.unknown_error", { selector: data.slice(0, 10) }) : known;
  }
  if (tx.revertError === null || tx.revertError === "execution reverted") return null;
  return /out of gas/i.test(tx.revertError)
    ? teller.say("reason.out_of_gas", {})
    : (quoted(tx.revertError, 80) ?? null);
}

interface ErrorTools {
  errors: ReadonlyMap<string, FunctionItem>;
  teller: Teller;
}

/** Puts revert data into words. null: it holds no message; undefined: no rule knows this error. */
function tellError(tools: ErrorTools, data: string, depth: number): Phrase | null | undefined {
  const { errors, teller } = tools;
  const selector = data.slice(0, 10);
  if (selector === errorSelector) return quoted(readString(data) ?? "", 120) ?? null;
  if (selector === panicSelector && data.length >= 74) {
    const code = BigInt(`0x${data.slice(10, 74)}`);
    const text = teller.panic(code);
    return text === undefined ? teller.say("reason.unknown_panic", { code: code.toString() }) : trusted(text);
  }
  const known = errors.get(selector);
  const args = known?.read(data);
  return known && args && tellCustom(tools, known, args, depth);
}

/** A custom error. Its name is from our rule files; only its arguments come from the contract. */
function tellCustom(tools: ErrorTools, { name, inputs }: FunctionItem, args: readonly Value[], depth: number): Phrase {
  const shown = args.slice(0, 4).map((arg, i) => tellArgument(tools, arg, inputs.items[i]?.kind, depth));
  const told = shown.map(({ text }, i) => `${inputs.names[i]} ${text}`).join(", ");
  return { text: told === "" ? name : `${name} (${told})`, untrusted: shown.some(({ untrusted }) => untrusted) };
}

function tellArgument(tools: ErrorTools, arg: Value, kind: AbiType["kind"] | undefined, depth: number): Phrase {
  const given = tools.teller.say("reason.argument_given", {});
  if (typeof arg === "bigint") return trusted(groupThousands(arg.toString()));
  if (typeof arg !== "string") return typeof arg === "boolean" ? trusted(String(arg)) : given;
  if (kind === "string") return quoted(arg) ?? given;
  if (kind === "address") return trusted(tools.teller.short(arg as Address));
  return (kind === "bytes" && depth > 1 && tellError(tools, arg, depth - 1)) || trusted(shortHex(arg));
}

function readString(data: string): string | undefined {
  const length = Number.parseInt(data.slice(74, 138), 16);
  // Where the data ends before the length, the length is not a number and nothing is read.
  return length > 10_000 ? undefined : utf8Text(data.slice(138, 138 + length * 2));
}
