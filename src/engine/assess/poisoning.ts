import { type Address, zeroAddress } from "../../kernel/address.ts";
import { decimalText } from "../../kernel/amount.ts";
import { distinct } from "../../kernel/lists.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import { type Statement, state } from "../../rules/ruleset/wording/phrases.ts";
import type { Finding } from "./finding.ts";
import type { SubjectAct } from "./subject-act.ts";

/** Looks like another address. `prefix`, `suffix`: equal hex digits at each end. */
export interface Twin {
  address: Address;
  prefix: number;
  suffix: number;
}

/** The most equal digits, at least four at each end. Runs of one digit do not count: vanity addresses have them. */
export function findTwin(address: Address, known: readonly Address[]): Twin | undefined {
  let best: Twin | undefined;
  for (const other of known) {
    if (other === address) continue;
    const prefix = sharedStart(address, other) - 2;
    if (prefix < endsMin) continue;
    const suffix = sharedEnd(address, other);
    if (suffix < endsMin) continue;
    if (/^(.)\1*$/.test(address.slice(2, 2 + prefix)) || /^(.)\1*$/.test(address.slice(-suffix))) continue;
    if (best === undefined || prefix + suffix > best.prefix + best.suffix) best = { address: other, prefix, suffix };
  }
  return best;
}

/** Others recorded transfers in their name, or sent them dust: their history may prove poisoning. */
export function findVictims(act: SubjectAct): Address[] {
  const written = [...forged(act), ...imitated(act)].map((move) => move.from);
  const victims = [...written, ...dust(act).map((move) => move.to)];
  return distinct(victims).filter((account) => account !== act.subject);
}

/**
 * Transfers of 0 in the name of many accounts, or one whose other side looks like somebody whom the victim knows. Transfers of 0 alone
 * prove nothing.
 */
export function judgePoisoning(
  act: SubjectAct,
  imitations: ReadonlySet<Address>,
): { findings: Finding[]; remark: Statement | null } {
  if (act.tx.movements.length === 0) return { findings: [], remark: null };
  const empty = forged(act);
  const isTwin = (move: Movement) => imitations.has(move.token as Address) && repeatsPayment(move, act);
  const twins = imitations.size === 0 ? [] : imitated(act).filter(isTwin);
  const dusted = dust(act);
  if (empty.length + twins.length + dusted.length === 0) return { findings: [], remark: null };
  const moves = new Set([...empty, ...twins]);
  const findings: Finding[] = [];
  const owners = new Set(empty.map((move) => move.from));
  if (owners.size >= fanOutMin) {
    const statement = state("poisoning.fan_out", { count: owners.size });
    findings.push(finding(statement, "zero_value_transfer_from fan_out", empty));
  }
  for (const move of [...moves, ...dusted]) {
    const [victim, stranger] = moves.has(move) ? [move.from, move.to] : [move.to, move.from];
    const twin = findTwin(stranger, act.file.risk?.history[victim]?.counterparties ?? []);
    if (twin === undefined) continue;
    const written = move.amount > 0n ? "fake_token_twin" : "zero_value_transfer_from";
    const kind = moves.has(move) ? written : "dust_from_lookalike";
    const { address: known, prefix, suffix } = twin;
    const statement = state("poisoning.twin", { stranger, known, victim, prefix, suffix });
    findings.push(finding(statement, `${kind} lookalike_of_known`, [move]));
  }
  return { findings, remark: remarkOn(findings, [...owners]) };
}

/** Wallets shorten to 4 + 4 digits; fewer are equal by chance. */
const endsMin = 4;
const fanOutMin = 10;
/** Wei, about a cent. */
const dustMax = 4_000_000_000_000n;

/** ERC-20 transfers of 0 from accounts that had no part in the transaction: anybody may call transferFrom with 0 in another's name. */
function forged({ tx, subject, calls }: SubjectAct): Movement[] {
  const empty = tx.movements.filter((move) => move.standard === "erc20" && move.amount === 0n);
  if (empty.length === 0) return empty;
  // A contract that makes calls here may move 0 of its own.
  const actors = new Set<Address>([tx.from, subject, ...calls.map((call) => call.actor), ...callersOf(tx)]);
  return empty.filter((move) => !actors.has(move.from));
}

/** Unlisted tokens from accounts that had no part. Empty where anything of the subject moves. */
function imitated({ tx, subject, labels }: SubjectAct): Movement[] {
  if (tx.movements.some((move) => move.from === subject || move.to === subject)) return [];
  const actors = new Set<Address>([zeroAddress, tx.from, ...callersOf(tx)]);
  return tx.movements.filter(
    (move) =>
      move.standard === "erc20" &&
      move.amount > 0n &&
      labels.token(move.token ?? "") === undefined &&
      !actors.has(move.from),
  );
}

function callersOf(tx: Transaction): Address[] {
  return tx.calls.flatMap(({ from, kind }) => (kind === "delegatecall" ? [] : from));
}

/** Same number of some asset within the day before. */
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

function finding(statement: Statement, basis: string, moves: readonly Movement[]): Finding {
  const evidence = moves.slice(0, 20).map((move) => (move.log >= 0 ? `log ${move.log}` : `movement ${move.index}`));
  return { flag: null, statement, address: null, role: null, basis, evidence };
}

/** Without it a reader overlooks the findings. */
function remarkOn(findings: readonly Finding[], owners: readonly Address[]): Statement | null {
  const zero = findings.filter((one) => one.basis.startsWith("zero_value"));
  const [owner] = owners;
  if (zero.length > 0)
    return owner !== undefined && owners.length === 1
      ? state("poisoning.nothing_sent", { owner })
      : state("poisoning.nothing_sent_by_many", { count: owners.length });
  if (findings.some((one) => one.basis.startsWith("fake_token_twin"))) return state("poisoning.fake_token", {});
  return findings.length > 0 ? state("poisoning.dust", {}) : null;
}

function sharedStart(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

function sharedEnd(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
