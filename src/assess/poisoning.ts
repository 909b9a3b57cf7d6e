import { type Address, shorten, zeroAddress } from "../kernel/address.ts";
import { decimalText } from "../kernel/amount.ts";
import type { RiskFinding } from "../model/evidence.ts";
import type { Movement } from "../model/transaction.ts";
import type { SubjectAct } from "./subject-act.ts";

/** A known address that looks like another: equal hex digits at both ends. */
export interface Twin {
  address: Address;
  prefix: number;
  suffix: number;
}

/** The known address that shares most, and at least four, hex digits at each end; vanity ends of one digit prove nothing. */
export function findTwin(address: Address, known: readonly Address[]): Twin | undefined {
  let best: Twin | undefined;
  for (const other of known) {
    if (other === address) continue;
    const prefix = sharedStart(address.slice(2), other.slice(2));
    const suffix = sharedStart(reverse(address.slice(2)), reverse(other.slice(2)));
    if (prefix < endsMin || suffix < endsMin) continue;
    if (/^(.)\1*$/.test(address.slice(2, 2 + prefix)) || /^(.)\1*$/.test(address.slice(-suffix))) continue;
    if (best === undefined || prefix + suffix > best.prefix + best.suffix) best = { address: other, prefix, suffix };
  }
  return best;
}

/** Accounts in whose name others recorded transfers, or that were sent dust; whose history could prove poisoning. */
export function findVictims(act: SubjectAct): Address[] {
  const written = [...forged(act), ...imitated(act)].map((move) => move.from);
  const victims = [...written, ...dust(act).map((move) => move.to)];
  return [...new Set(victims)].filter((account) => account !== act.subject);
}

/**
 * Address poisoning as far as the transaction and the victim's history prove it: transfers of nothing in the names of many, or
 * one whose receiver looks like somebody whom the victim knows. Transfers of nothing alone prove nothing.
 */
export function judgePoisoning(
  act: SubjectAct,
  imitations: ReadonlySet<Address>,
): { findings: RiskFinding[]; remark: string | null } {
  const twins = imitated(act).filter((move) => imitations.has(move.token as Address) && repeatsPayment(move, act));
  const moves = [...forged(act), ...twins];
  const findings: RiskFinding[] = [];
  const owners = new Set(forged(act).map((move) => move.from));
  if (owners.size >= fanOutMin) {
    const detail = `Transfers of nothing were recorded in the names of ${owners.size} accounts that did not act.`;
    findings.push(finding(detail, "zero_value_transfer_from fan_out", forged(act)));
  }
  for (const move of [...moves, ...dust(act)]) {
    const [victim, stranger] = moves.includes(move) ? [move.from, move.to] : [move.to, move.from];
    const twin = findTwin(stranger, act.file.risk?.history[victim]?.counterparties ?? []);
    if (twin === undefined) continue;
    const written = twins.includes(move) ? "fake_token_twin" : "zero_value_transfer_from";
    const kind = moves.includes(move) ? written : "dust_from_lookalike";
    const detail = `${shorten(stranger)} looks like ${shorten(twin.address)}, with which ${shorten(victim)} dealt before: ${twin.prefix} and ${twin.suffix} hex digits are equal.`;
    findings.push(finding(detail, `${kind} lookalike_of_known`, [move]));
  }
  return { findings, remark: remarkOn(findings, [...owners]) };
}

/** 4 + 4, as wallets shorten addresses to: fewer would meet by chance. */
const endsMin = 4;
const fanOutMin = 10;
/** Wei: about a cent. */
const dustMax = 4_000_000_000_000n;

/** ERC-20 transfers of nothing out of accounts that had no part in it: anyone may call transferFrom with 0. */
function forged({ tx, subject, calls }: SubjectAct): Movement[] {
  if (!tx.movements.some((move) => move.amount === 0n)) return [];
  const actors = new Set<Address>([tx.from, subject, ...calls.map((call) => call.actor)]);
  return tx.movements.filter(
    (move) =>
      move.standard === "erc20" &&
      move.amount === 0n &&
      !actors.has(move.from) &&
      // A contract that calls in this transaction moves its own nothing.
      !tx.calls.some((call) => call.from === move.from && call.kind !== "delegatecall"),
  );
}

/** Transfers of unlisted tokens out of accounts that had no part in it, in a transaction that moves nothing of the subject. */
function imitated({ tx, subject, labels }: SubjectAct): Movement[] {
  if (tx.movements.some((move) => move.from === subject || move.to === subject)) return [];
  return tx.movements.filter(
    (move) =>
      move.standard === "erc20" &&
      move.amount > 0n &&
      labels.token(move.token ?? "") === undefined &&
      move.from !== zeroAddress &&
      move.from !== tx.from &&
      !tx.calls.some((call) => call.from === move.from && call.kind !== "delegatecall"),
  );
}

/** The victim paid the same amount of something within the day before. */
function repeatsPayment({ token, amount, from }: Movement, { file, tx }: SubjectAct): boolean {
  const decimals = file.tokens[token as Address]?.decimals ?? null;
  const { timestamp } = tx;
  if (decimals === null || timestamp === null) return false;
  const text = decimalText(amount, decimals);
  return (file.risk?.history[from]?.payments ?? []).some((payment) => {
    const age = timestamp - Date.parse(payment.time) / 1000;
    return payment.amount === text && age >= 0 && age <= daySeconds;
  });
}

const daySeconds = 86_400;

function dust({ tx, subject }: SubjectAct): Movement[] {
  return tx.movements.filter(
    (move) => move.standard === "native" && move.from === subject && move.amount > 0n && move.amount < dustMax,
  );
}

function finding(detail: string, basis: string, moves: readonly Movement[]): RiskFinding {
  const evidence = moves.slice(0, 20).map((move) => (move.log >= 0 ? `log ${move.log}` : `movement ${move.index}`));
  return { flag: null, detail, address: null, role: null, basis, evidence };
}

function remarkOn(findings: readonly RiskFinding[], owners: readonly Address[]): string | null {
  const zero = findings.filter((one) => one.basis.startsWith("zero_value"));
  if (zero.length > 0) {
    const whose = owners.length === 1 ? shorten(owners[0] as Address) : `${owners.length} other accounts`;
    return `A third party recorded transfers of nothing in the name${owners.length === 1 ? "" : "s"} of ${whose}, which sent nothing.`;
  }
  if (findings.some((one) => one.basis.startsWith("fake_token_twin")))
    return "A third party recorded a transfer of an imitated token in the name of an account, which sent nothing.";
  return findings.length > 0 ? "The sender looks like an address that the receiver dealt with before." : null;
}

function sharedStart(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

function reverse(text: string): string {
  return [...text].reverse().join("");
}
