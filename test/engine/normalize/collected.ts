import { collectMovements, type MovementSource } from "../../../src/engine/normalize/movements.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { Call, Movement } from "../../../src/model/transaction.ts";
import { alice, carol, vault, weth } from "../../support/case-of.ts";
import { logFrom } from "./log-from.ts";

/** A frame of the call tree. By default the vault calls carol. */
export const call = (index: number, parts: Partial<Call> = {}): Call => ({
  ...{ index, parent: index - 1, depth: index, kind: "call", from: vault, to: carol, value: 0n, input: "0x", ok: true },
  ...parts,
});

/** The movements of a transaction from alice to the vault with these parts. */
export function collected(parts: Partial<MovementSource> = {}): Movement[] {
  return collectMovements(
    {
      ...{ from: alice, to: vault, value: 0n, depositMint: 0n, calls: [call(0, { from: alice, to: vault })], logs: [] },
      ...{ traced: false, internal: null, weth: new Set([weth]), listed: new Set<Address>() },
      ...parts,
    },
    [],
  );
}

/** What every movement of ether has. */
export const ether = { standard: "native", token: null, tokenId: null, log: -1, fee: false } as const;

/** The logs of the transaction, each with the frame that wrote it if it is known. */
export const logs = (...list: (RpcLog | [RpcLog, number])[]) =>
  list.map((one, index) => (Array.isArray(one) ? logFrom(one[0], index, one[1]) : logFrom(one, index)));
