import fc, { type Arbitrary } from "fast-check";
import type { CaseFile, RpcLog } from "../../src/model/case-file.ts";
import { hostileText } from "./abi-arbitrary.ts";
import { recordings } from "./world.ts";

type Change = (file: CaseFile) => void;

/** A recorded transaction with a few changes: what an attacker can arrange around real contracts. */
export const anyMutant: Arbitrary<CaseFile> = fc
  .tuple(fc.constantFrom(...small()), fc.array(anyChange(), { minLength: 1, maxLength: 4 }))
  .map(([file, changes]) => {
    const mutant = structuredClone(file);
    for (const change of changes) change(mutant);
    return mutant;
  });

/** The largest recordings would take all the time. */
function small(): CaseFile[] {
  return recordings.filter(({ receipt }) => receipt.logs.length <= 40);
}

function anyChange(): Arbitrary<Change> {
  return fc.oneof(
    withLog((logs, at) => logs.splice(at, 1)),
    withLog((logs, at) => logs.splice(at, 0, structuredClone(logs[at] as RpcLog))),
    withLog((logs, at) => logs.reverse().push(...logs.splice(0, at))),
    withLog((logs, at) => swapParties(logs[at] as RpcLog)),
    fc.tuple(fc.nat(39), fc.constantFrom("0", "f")).map(([at, digit]): Change => {
      return (file) => refill(file.receipt.logs[at % (file.receipt.logs.length || 1)], digit);
    }),
    fc.tuple(fc.nat(39), fc.nat(39)).map(([one, other]): Change => {
      return (file) => replaceEmitter(file, one, other);
    }),
    hostileText.map(
      (symbol): Change =>
        (file) => {
          for (const token of Object.values(file.tokens)) Object.assign(token, { symbol, name: symbol });
        },
    ),
    fc.constant<Change>((file) => Object.assign(file.receipt, { status: "0x0" })),
    fc.constant<Change>((file) => Object.assign(file, { trace: { source: "none", reason: "lost" } })),
    fc.nat(200).map(
      (digits): Change =>
        (file) => {
          file.transaction.input = file.transaction.input.slice(0, 10 + (digits - (digits % 2)));
        },
    ),
    fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(
      (value): Change =>
        (file) => {
          file.transaction.value = `0x${value.toString(16)}`;
        },
    ),
  );
}

function withLog(change: (logs: RpcLog[], at: number) => unknown): Arbitrary<Change> {
  return fc.nat(39).map((at) => ({ receipt }) => {
    if (receipt.logs.length > 0) change(receipt.logs, at % receipt.logs.length);
  });
}

/** From and to of a transfer the other way round. */
function swapParties({ topics }: RpcLog): void {
  const [, first, second] = topics;
  if (first !== undefined && second !== undefined) topics.splice(1, 2, second, first);
}

/** Makes every digit of the data the same: an amount of nothing, or the largest one. */
function refill(log: RpcLog | undefined, digit: string): void {
  if (log !== undefined) log.data = `0x${digit.repeat(log.data.length - 2)}`;
}

/** One contract's log from another one's address. */
function replaceEmitter({ receipt: { logs } }: CaseFile, one: number, other: number): void {
  const [log, stranger] = [logs[one % (logs.length || 1)], logs[other % (logs.length || 1)]];
  if (log !== undefined && stranger !== undefined) log.address = stranger.address;
}
