import type { Address } from "../../../kernel/address.ts";
import { readableInteger } from "../../../kernel/amount.ts";
import { readQuantity, shortHex, utf8Text } from "../../../kernel/hex.ts";
import type { CaseFile, RpcFrame } from "../../../model/case-file.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { AbiType, Value } from "../../../rules/abi/abi-type.ts";
import type { FunctionItem } from "../../../rules/abi/signature.ts";
import { admits } from "../../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import type { Findings } from "../findings.ts";
import { quoted, trusted } from "../phrase.ts";
import type { Words } from "../teller/words.ts";

/** Solidity: Error(string), Panic(uint256). */
const errorSelector = "0x08c379a0";
const panicSelector = "0x4e487b71";
/** Levels of errors inside errors. */
const depthMax = 3;

/** Of the transaction, or of what its account wanted inside. Contract strings are quoted. */
export function revertReason(
  { file, tx, ruleset, subject }: Pick<Findings, "file" | "tx" | "ruleset" | "subject">,
  { teller, writer }: ReasonWords,
): Phrase | null {
  const tools = { ...ruleset, teller, ...(writer && { writer }) };
  if (tx.status === "success") {
    for (const { event, contracts, account, reason } of ruleset.failures)
      for (const { address, topics, data } of reason === null ? [] : tx.logs) {
        const args = topics[0] === event.hash && admits(contracts, address) && event.read(topics, data);
        if (args && args[account as number] === subject)
          return tellFailure(tools, { output: args[reason as number] as string });
      }
    return null;
  }
  const told = failedFrames(file).flatMap((frame) => tellFailure(tools, frame) ?? []);
  const [first, last] = [told[0], told.at(-1)];
  if (first === undefined) return spentGas(file) ? teller.say("reason.gas_spent", {}) : null;
  return last && !first.text.includes(last.text) ? teller.say("reason.within", { reason: first, inner: last }) : first;
}

/** Without a writer, arguments are shown raw. */
export type ReasonWords = Pick<Words, "teller"> & { writer?: Pick<Words["writer"], "told"> };

/** The transaction's call, then inwards the call that failed last: each is the reason for the one before. */
function failedFrames({ trace }: CaseFile): RpcFrame[] {
  const frames: RpcFrame[] = [];
  let frame = "root" in trace ? trace.root : undefined;
  while (frame && (frame.error !== undefined || frames.length === 0)) {
    frames.push(frame);
    frame = frame.calls?.at(-1);
  }
  return frames;
}

/** Whoever runs out of gas inside has a 64th of it left at most. */
function spentGas({ transaction, receipt, trace }: CaseFile): boolean {
  if ("root" in trace) return false;
  const [limit, used] = [readQuantity(transaction.gas) ?? 0n, readQuantity(receipt.gasUsed) ?? 0n];
  return limit > 0n && used * 64n >= limit * 63n;
}

type ErrorTools = Pick<Ruleset, "errors" | "causes" | "phrasedCauses"> & ReasonWords;

/** Returned data, and the node's words. */
function tellFailure(
  tools: ErrorTools,
  { output = "", error = "" }: Pick<RpcFrame, "output" | "error">,
): Phrase | null {
  const { teller } = tools;
  if (output.length >= 10) {
    const known = tellError(tools, output, depthMax);
    return known === undefined ? teller.say("reason.unknown_error", { selector: output.slice(0, 10) }) : known;
  }
  if (/^(?:execution )?reverted$/i.test(error)) return null;
  return /out of gas/i.test(error) ? teller.say("reason.out_of_gas", {}) : tellText(tools, error, 80);
}

/** null: it says nothing; undefined: unknown. */
function tellError(tools: ErrorTools, data: string, depth: number): Phrase | null | undefined {
  const { errors, teller } = tools;
  const selector = data.slice(0, 10);
  if (selector === errorSelector) return tellText(tools, readString(data) ?? "", 120);
  if (selector === panicSelector && data.length >= 74) {
    const code = BigInt(`0x${data.slice(10, 74)}`);
    const text = teller.panic(code);
    return text === undefined ? teller.say("reason.unknown_panic", { code: code.toString() }) : trusted(text);
  }
  const known = errors.get(selector);
  const args = known?.read(data);
  return known && args && tellCustom(tools, known, args, depth);
}

/** Quoted, after its meaning by the rules. */
function tellText({ causes }: ErrorTools, text: string, charsMax: number): Phrase | null {
  const told = quoted(text, charsMax) ?? null;
  const words = causes.get(text);
  return told && words !== undefined ? { ...told, text: `${words} (${told.text})` } : told;
}

/** Names are ours, arguments the contract's. An inner error comes after it. */
function tellCustom(
  tools: ErrorTools,
  { name, inputs, hash }: FunctionItem,
  args: readonly Value[],
  depth: number,
): Phrase {
  let inner: Phrase | null | undefined;
  const shown = args.slice(0, 4).flatMap((arg, i): Phrase[] => {
    const kind = inputs.items[i]?.kind;
    const carried = kind === "bytes" && depth > 1 && inner === undefined && tellError(tools, arg as string, depth - 1);
    if (carried) inner = carried;
    const { text, untrusted } = tellArgument(tools, arg, kind);
    return carried ? [] : [{ text: `${inputs.names[i]} ${text}`, untrusted }];
  });
  // Of nested errors, the first and last say most.
  if (inner && depth < depthMax) return inner;
  const phrased = tools.phrasedCauses.get(hash);
  const phrase = phrased && tools.writer?.told(phrased, args);
  if (phrase !== undefined) return { ...phrase, text: `${phrase.text} (${name})` };
  const told = shown.map(({ text }) => text).join(", ");
  const words = tools.causes.get(hash);
  const text = words ? `${words} (${name}${told && `: ${told}`})` : told ? `${name} (${told})` : name;
  const reason = { text, untrusted: shown.some(({ untrusted }) => untrusted) };
  return inner ? tools.teller.say("reason.within", { reason, inner }) : reason;
}

function tellArgument(tools: ErrorTools, arg: Value, kind: AbiType["kind"] | undefined): Phrase {
  const given = tools.teller.say("reason.argument_given", {});
  if (typeof arg === "bigint") return trusted(readableInteger(arg));
  if (typeof arg !== "string") return typeof arg === "boolean" ? trusted(String(arg)) : given;
  if (kind === "string") return tellText(tools, arg, 80) ?? given;
  return trusted(kind === "address" ? tools.teller.short(arg as Address) : shortHex(arg));
}

function readString(data: string): string | undefined {
  const length = Number.parseInt(data.slice(74, 138), 16);
  // Data that ends early has no length.
  return length > 10_000 ? undefined : utf8Text(data.slice(138, 138 + length * 2));
}
