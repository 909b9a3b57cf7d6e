import { heaviestFirst } from "../../../kernel/lists.ts";
import { weigherOf } from "../../money/weight.ts";
import type { SubjectAct } from "../subject-act.ts";
import { type Entry, ranks } from "./entry.ts";

/** Paid in an account's place, the largest amount first; claims of unlisted tokens late. */
export function entriesOfPayees({ payees, file, labels }: SubjectAct): Entry[] {
  if (payees.length === 0) return [];
  const weigh = weigherOf(file, labels);
  const entries = payees.map(({ account, payee, assets }) => {
    const weight = assets.map(weigh).reduce((most, one) => (one > most ? one : most), 0n);
    const isKnown = assets.some(({ token }) => token !== null && labels.name(token) !== undefined);
    const rank = weight > 0n || isKnown ? ranks.money : ranks.junk;
    return { entry: { address: payee, role: "recipient" as const, rank, account }, weight };
  });
  return heaviestFirst(entries, ({ weight }) => weight).map(({ entry }) => entry);
}
