/** The view of an account for a transaction that alice sent to the vault. */

import { presentView } from "../../../src/engine/present/view/view.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, usdc, vault, weth } from "../../support/case-of.ts";
import { nameOf, namesOf, teller } from "./named-world.ts";

/** Alice and carol have names. Bob, whose view it is, has none. */
const words = {
  names: namesOf(),
  teller,
  nameOf: (address: Address) => (address === alice || address === carol ? nameOf(address) : teller.short(address)),
  writer: undefined as never,
};

const explanation = {
  ...{ summary: "All of it.", action_type: "swap", status: "success", risk_flags: ["f"], checks: { note: "c" } },
  ...{ gas_paid_usd: 0.5, timestamp: "t", block_number: 7, explorer_url: "u", partial: false },
  provenance: { untrusted_fields: ["assets_moved[0].token"], note: "n" },
};

export interface Parts {
  movements?: Movement[];
  tx?: object;
  grants?: object[];
  calls?: object[];
  view?: object;
  explanation?: object;
  subject?: Address;
}

/** What is told of bob, or of another account. */
export function view(parts: Parts = {}, account: Address = bob) {
  const movements = (parts.movements ?? []).map((one, index) => ({ ...one, index }));
  const tx = {
    ...{
      hash: "0xh",
      from: alice,
      to: vault,
      movements,
      logs: [],
      status: "success",
      feeWei: 9n,
      nativeComplete: true,
    },
    ...{ weth: new Set([weth]), listed: new Set([usdc]), ...parts.tx },
  };
  const findings = {
    ...{ tx, subject: parts.subject ?? alice, unwrapped: { calls: parts.calls ?? [] } },
    file: { price: { source: "p", eth_usd: "2000" }, view: parts.view },
    ruleset: { grants: { unlimited: new Set([7n]) } },
  };
  return presentView(findings as never, account, {
    ...{ explanation: { ...explanation, ...parts.explanation }, grants: parts.grants ?? [], words },
  } as never);
}
