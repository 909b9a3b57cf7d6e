import type { Value } from "../abi/abi-type.ts";
import type { FunctionItem } from "../abi/signature.ts";
import { groupThousands } from "../kernel/amount.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Phrase } from "./asset-names.ts";
import { quoted } from "./phrase.ts";

/** Error(string) and Panic(uint256) of Solidity ("Error handling: Assert, Require, Revert and Exceptions"). */
const errorSelector = "0x08c379a0";
const panicSelector = "0x4e487b71";
const panics: Record<string, string> = {
  "1": "an assertion failed",
  "17": "an arithmetic operation overflowed",
  "18": "a division by zero",
  "33": "a value outside its enum",
  "34": "a broken storage array",
  "49": "a pop on an empty array",
  "50": "an array index out of bounds",
  "65": "too much memory was allocated",
  "81": "a call to an uninitialized function",
};

/** Why a transaction reverted, in words; null when it did not revert or nothing is known. Strings of the contract come quoted. */
export function revertReason(tx: Transaction, errors: ReadonlyMap<string, FunctionItem>): Phrase | null {
  if (tx.status !== "reverted") return null;
  const data = tx.revertData;
  if (data !== null && data.length >= 10) {
    const selector = data.slice(0, 10);
    if (selector === errorSelector) return quoted(readString(data) ?? "", 120) ?? null;
    if (selector === panicSelector && data.length >= 74) {
      const code = BigInt(`0x${data.slice(10, 74)}`).toString();
      return { text: panics[code] ?? `panic code ${code}`, untrusted: false };
    }
    const known = errors.get(selector);
    const args = known?.read(data);
    if (known !== undefined && args !== undefined) return customError(known, args);
    return { text: `an error that is not known here (${selector})`, untrusted: false };
  }
  if (tx.revertError === null || tx.revertError === "execution reverted") return null;
  return /out of gas/i.test(tx.revertError)
    ? { text: "it ran out of gas", untrusted: false }
    : (quoted(tx.revertError, 80) ?? null);
}

/** Names of custom errors are from our rule files; only their arguments are the contract's. */
function customError(error: FunctionItem, args: readonly Value[]): Phrase {
  const shown = args
    .slice(0, 4)
    .map(
      (arg, i) =>
        `${error.inputs.names[i]} ${typeof arg === "bigint" ? groupThousands(arg.toString()) : typeof arg === "boolean" ? arg : "given"}`,
    );
  return { text: shown.length === 0 ? error.name : `${error.name} (${shown.join(", ")})`, untrusted: false };
}

function readString(data: string): string | undefined {
  const length = Number.parseInt(data.slice(74, 138), 16);
  if (data.length < 138 || !Number.isSafeInteger(length) || length > 10_000) return undefined;
  return Buffer.from(data.slice(138, 138 + length * 2), "hex").toString("utf8");
}
