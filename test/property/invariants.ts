import { expect } from "vitest";
import { balanceChanges } from "../../src/engine/normalize/balance-changes.ts";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { decide } from "../../src/engine/spine.ts";
import { GateKeeper } from "../../src/engine/unwrap/gates.ts";
import { unwrap } from "../../src/engine/unwrap/unwrap.ts";
import { type Address, zeroAddress } from "../../src/kernel/address.ts";
import { parseDecimal } from "../../src/kernel/amount.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Evidence } from "../../src/model/evidence.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { Labels } from "../../src/model/label.ts";
import type { Movement, Transaction } from "../../src/model/transaction.ts";
import { compileSchema } from "../support/schema.ts";
import { explainCase, labels, ruleset } from "./world.ts";

const validate = compileSchema("explanation");

/** Checks what must hold for every answer to every case. Returns the answer's bytes. */
export function expectSound(file: CaseFile): string {
  const { explanation, evidence } = explainCase(file);
  const bytes = JSON.stringify(explanation);
  // Callers read the bytes, so the bytes are checked.
  const answer = JSON.parse(bytes) as Explanation;
  expect(validate(answer), `${JSON.stringify(validate.errors)} in ${bytes}`).toBe(true);
  expect(ruleset.actions.has(answer.action_type), answer.action_type).toBe(true);
  expectPlainSummary(answer);
  expectNobodyAtZero(file);
  expectClaimedOnce(evidence());
  const normalized = normalize(file, labels);
  const { tx } = unwrap(normalized, ruleset, new GateKeeper(normalized, file));
  expectConserved(tx);
  expectExactAssets(answer, tx, { file, subject: evidence().subject });
  return bytes;
}

/**
 * The summary has one to three sentences for people: no markup, nothing invisible, and no 32-byte hex word except an account of another
 * chain.
 */
export function expectPlainSummary({ summary, provenance }: Explanation): void {
  expect(summary.length).toBeLessThanOrEqual(limits.summaryCharsMax);
  expect(summary).toMatch(/[.]$/);
  expect(summary).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(summary).not.toMatch(/[<>`[\]{}\\]/);
  expect(summary.replace(/\b(?:to|for|unless) 0x[0-9a-fA-F]{64,128}\b/g, "")).not.toMatch(/0x[0-9a-fA-F]{64}/);
  expect(summary.match(/"/g)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0);
  const ours = summary.replace(/"[^"]*"/g, "quoted");
  expect(ours.split(/\.\s+/).length, summary).toBeLessThanOrEqual(3);
  if (ours !== summary) expect(provenance.untrusted_fields).toContain("summary");
}

/** Labels that would make the zero address visible. Shortened, it looks like some others. */
const marked: Labels = {
  ...labels,
  name: (address) =>
    BigInt(address) === 0n ? { address: zeroAddress, label: "NOBODY", category: "none" } : labels.name(address),
};

/** No sentence names the zero address: what comes from it is minted, and what goes to it is burned. */
function expectNobodyAtZero(file: CaseFile): void {
  const { explanation, evidence } = decide(file, ruleset, marked);
  expect(explanation.summary).not.toContain("NOBODY");
  expect(evidence().subject).not.toBe(zeroAddress);
}

/** No log, call or movement explains two actions. */
export function expectClaimedOnce({ actions }: Evidence): void {
  for (const kind of ["logs", "calls", "movements"] as const) {
    const claimed = actions.flatMap((action) => action[kind]);
    expect(claimed.length, kind).toBe(new Set(claimed).size);
  }
}

/** Nothing appears and nothing vanishes: what some accounts give, others get. */
export function expectConserved(tx: Transaction): void {
  const accounts = new Set<Address>(tx.movements.flatMap(({ from, to }) => [from, to]));
  const sums = new Map<string, bigint>();
  for (const account of accounts) {
    const { gives, gets } = balanceChanges(tx, account);
    for (const { key, amount } of gives) sums.set(key, (sums.get(key) ?? 0n) - amount);
    for (const { key, amount } of gets) sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
}

/** Every entry is a movement of the transaction, in its order and with its exact amount. All movements of the subject are there. */
function expectExactAssets(
  { assets_moved, status, partial }: Explanation,
  tx: Transaction,
  { file, subject }: { file: CaseFile; subject: Address },
): void {
  if (status === "reverted") expect(assets_moved).toEqual([]);
  const listed = assets_moved.map((asset) => {
    const token = asset.token_address?.toLowerCase() ?? null;
    const places = token === null ? 18 : decimalsOf(token, file);
    const amount = parseDecimal(asset.amount, asset.token_id === undefined ? places : 0);
    return [token, asset.token_id, amount, asset.from.toLowerCase(), asset.to.toLowerCase()].join(" ");
  });
  const moved = tx.movements.map((move) => ({ own: move.from === subject || move.to === subject, text: textOf(move) }));
  const everything = moved.map(({ text }) => text);
  if (moved.length <= limits.assetsMax) expect(listed).toEqual(everything);
  else {
    expect(partial).toBe(true);
    let at = 0;
    for (const text of listed) at = everything.indexOf(text, at) + 1 || Number.NaN;
    expect(at, "a subsequence in the order of the transaction").not.toBeNaN();
    const own = moved.filter((move) => move.own).map(({ text }) => text);
    expect(listed.filter((text) => own.includes(text)).length).toBeGreaterThanOrEqual(
      Math.min(own.length, limits.assetsMax),
    );
  }
}

function decimalsOf(token: string, file: CaseFile): number {
  return labels.token(token)?.decimals ?? file.tokens[token]?.decimals ?? labels.decimals(token) ?? 0;
}

function textOf(move: Movement): string {
  return [move.token, move.tokenId?.toString(), move.amount, move.from, move.to].join(" ");
}
