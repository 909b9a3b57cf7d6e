import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { AssetMoved } from "../../../src/model/explanation.ts";
import type { Move } from "../../../src/tools/audit/facts/facts.ts";
import { auditHeadline, auditLosses } from "../../../src/tools/audit/laws/losses.ts";
import { alice, token, usdc } from "../../support/case-of.ts";
import { dora, type SceneParts, sceneOf } from "./made-scene.ts";

/** An entry of `assets_moved` for each move; tokens of strangers are named FOO. */
export const listOf = (moves: readonly Move[]): AssetMoved[] =>
  moves.map(({ token: of, amount, from, to, id }) => ({
    token: of === usdc ? "USDC" : of === null ? "ETH" : "FOO",
    amount: of === null ? `0.${String(amount).padStart(18, "0")}` : String(amount),
    from: checksum(from),
    to: checksum(to),
    token_address: of === null ? null : checksum(of),
    standard: "erc20",
    ...(id !== null && { token_id: String(id) }),
  })) as AssetMoved[];

const scene = (parts: SceneParts) =>
  sceneOf({ ...parts, answer: { assets_moved: listOf(parts.moves ?? []), ...parts.answer } });
/** What law 2 says. */
export const headline = (parts: SceneParts) => auditHeadline(scene(parts));
/** Sentences of law 3. */
export const losses = (parts: SceneParts) => auditLosses(scene(parts)).map(({ sentence }) => sentence);
/** Alice and Dora in full. */
export const [a, d] = [alice, dora].map(checksum) as [string, string];
export const foo = (amount: number | bigint) => `${amount} "FOO" (${shorten(token)})`;
/** Dora is a principal besides alice. */
export const two = (authority: "operation" | "allowance" = "allowance"): SceneParts["principals"] => [
  [alice, "sender"],
  [dora, authority],
];

const lost = (what: string, of = a) => `${of} lost ${what}`;
/** The sentences of law 3 about a loss that is not listed, not told, or told without its owner. */
export const unlisted = (what: string, of?: string) => `${lost(what, of)}, and assets_moved does not list it exactly.`;
export const untold = (what: string, of?: string) => `${lost(what, of)}, and the summary does not tell it.`;
export const nobodys = (what: string, of?: string) =>
  `${lost(what, of)} for nothing, and the summary does not tell whose it was.`;
export const dollars = (count: number) => `${count} units of ${checksum(usdc)}`;
export const foos = (count: number) => `${count} units of ${checksum(token)}`;
