import { normalize } from "../../../engine/normalize/normalize.ts";
import { type Address, toAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import type { Transaction } from "../../../model/transaction.ts";
import { parseSignature } from "../../../rules/abi/signature-parser.ts";
import type { Citation } from "../../../rules/documents/citation.ts";
import type { ChainCheck } from "./chain-check.ts";
import type { CitedFact } from "./cited-fact.ts";
import { absent, found, uncheckable, type Verdict } from "./verdict.ts";

export type CitedTransaction = Extract<Citation, { kind: "transaction" }>;

export type SeenTransaction = Pick<Transaction, "status" | "created"> & {
  calls: readonly Pick<Transaction["calls"][number], "to" | "input" | "ok">[];
  logs: readonly Pick<Transaction["logs"][number], "address" | "topics">[];
};

export function seenIn(file: CaseFile, labels: Labels): SeenTransaction {
  return normalize(file, labels);
}

/** Sees the transaction's own call and its logs, no inner calls. */
export function transactionCheck(citation: CitedTransaction, fact: CitedFact, source: string): ChainCheck {
  const { hash } = citation;
  const calls = ["eth_getTransactionByHash", "eth_getTransactionReceipt"].map((method) => ({ method, params: [hash] }));
  const judge = ([sent, receipt]: readonly unknown[]): Verdict => {
    const { to = null, input = "0x" } = (sent ?? {}) as { to?: Address | null; input?: Hex };
    const { status, contractAddress, logs } = (receipt ?? {}) as RawReceipt;
    if (!Array.isArray(logs)) return absent("the endpoint knows no such transaction");
    const ok = status === "0x1";
    const seen = logs.map(({ address, topics }) => ({ address: toAddress(address), topics }));
    const calls = [{ to: to === null ? null : toAddress(to), input, ok }];
    const created = contractAddress ? toAddress(contractAddress) : null;
    return checkTransaction(citation, fact, { status: ok ? "success" : "reverted", created, calls, logs: seen });
  };
  return { fact, source, calls, judge };
}

interface RawReceipt {
  status?: string;
  contractAddress?: string | null;
  logs?: { address: string; topics: Hex[] }[];
}

/** Wrote the named event, or was called with the named function; without a name: wrote a log, was called, or was created. */
export function checkTransaction({ role }: CitedTransaction, fact: CitedFact, tx: SeenTransaction): Verdict {
  const { address, document } = fact;
  if (address === null) return uncheckable("a transaction shows an address only");
  const logs = tx.logs.filter((log) => log.address === address);
  const calls = tx.calls.filter((call) => call.to === address && call.ok);
  if (role === null)
    return logs.length + calls.length > 0 || tx.created === address ? found : absent("it takes no part in it");
  const signature = document?.abi?.[role];
  if (signature === undefined) return uncheckable(`the file has no \`${role}\` in its abi`);
  const { hash } = parseSignature(signature);
  const takes = logs.some(({ topics }) => topics[0] === hash) || calls.some(({ input }) => input.startsWith(hash));
  return takes ? found : absent(`it has no part in ${role} there`);
}
