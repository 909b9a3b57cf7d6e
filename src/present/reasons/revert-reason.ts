import type { Value } from "../../abi/abi-type.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import { groupThousands } from "../../kernel/amount.ts";
import { utf8Text } from "../../kernel/hex.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Transaction } from "../../model/transaction.ts";
import { quoted } from "../phrase.ts";
import type { Teller } from "../teller/teller.ts";

/** Error(string) and Panic(uint256) of Solidity ("Error handling: Assert, Require, Revert and Exceptions"). */
const errorSelector = "0x08c379a0";
const panicSelector = "0x4e487b71";

/** Why a transaction reverted, in words; null when it did not revert or nothing is known. Strings of the contract come quoted. */
export function revertReason(
  tx: Transaction,
  errors: ReadonlyMap<string, FunctionItem>,
  teller: Teller,
): Phrase | null {
  if (tx.status !== "reverted") return null;
  const data = tx.revertData;
  if (data !== null && data.length >= 10) {
    const selector = data.slice(0, 10);
    if (selector === errorSelector) return quoted(readString(data) ?? "", 120) ?? null;
    if (selector === panicSelector && data.length >= 74) {
      const code = BigInt(`0x${data.slice(10, 74)}`);
      const text = teller.panic(code);
      return text === undefined
        ? teller.say("reason.unknown_panic", { code: code.toString() })
        : { text, untrusted: false };
    }
    const known = errors.get(selector);
    const args = known?.read(data);
    if (known !== undefined && args !== undefined) return customError(known, args, teller);
    return teller.say("reason.unknown_error", { selector });
  }
  if (tx.revertError === null || tx.revertError === "execution reverted") return null;
  return /out of gas/i.test(tx.revertError)
    ? teller.say("reason.out_of_gas", {})
    : (quoted(tx.revertError, 80) ?? null);
}

/** Names of custom errors are from our rule files; only their arguments are the contract's. */
function customError(error: FunctionItem, args: readonly Value[], teller: Teller): Phrase {
  const shown = args
    .slice(0, 4)
    .map(
      (arg, i) =>
        `${error.inputs.names[i]} ${typeof arg === "bigint" ? groupThousands(arg.toString()) : typeof arg === "boolean" ? arg : teller.words("reason.argument_given")}`,
    );
  return { text: shown.length === 0 ? error.name : `${error.name} (${shown.join(", ")})`, untrusted: false };
}

function readString(data: string): string | undefined {
  const length = Number.parseInt(data.slice(74, 138), 16);
  // Of data that ends before it nothing is read.
  return length > 10_000 ? undefined : utf8Text(data.slice(138, 138 + length * 2));
}
