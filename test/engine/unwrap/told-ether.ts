import type { Hex } from "viem";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { GateKeeper } from "../../../src/engine/unwrap/gates.ts";
import { unwrap } from "../../../src/engine/unwrap/unwrap.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { labels, ruleset } from "../../property/world.ts";
import { caseOf } from "../../support/case-of.ts";

export const ether = 10n ** 18n;

/** A transaction of alice that nobody traced. */
export const sends = (
  to: string,
  input: Hex,
  logs: RpcLog[] = [],
  rest: Partial<CaseFile["transaction"]> = {},
): CaseFile => caseOf({ transaction: { to, input, ...rest }, receipt: { logs } });

export function movementsOf(file: CaseFile): Movement[] {
  const tx = normalize(file, labels);
  return unwrap(tx, ruleset, new GateKeeper(tx, file)).tx.movements;
}

/** Ether told by calldata, as `from to amount`. */
export const told = (file: CaseFile) =>
  movementsOf(file).flatMap((move) => (move.basis === "calldata" ? flat(move) : []));
/** A movement, as `from to amount`. */
export const flat = ({ from, to, amount }: Movement) => `${from} ${to} ${amount}`;
