import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { presentView } from "../../../src/engine/present/view/view.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

export const teller = shippedTeller();
const labels = shippedLabels();
const names = new AssetNames(
  caseOf({ tokens: { [token]: metadata("ODD", 2) } }),
  labels,
  { wellKnown: new Set(), suspects: new Set(), unlimited: new Set([7n]) },
  teller,
);
const letters = new Map([
  [alice, "alice"],
  [bob, "bob"],
  [carol, "carol"],
]);
const words = { names, teller, nameOf: (address: Address) => letters.get(address) ?? "somebody" } as never;
const explanation = {
  ...{ summary: "Told.", action_type: "swap", status: "success", risk_flags: [], checks: {}, gas_paid_usd: 3 },
  ...{ timestamp: null, block_number: 7, explorer_url: "u", partial: false },
  provenance: { untrusted_fields: ["summary"], note: "n" },
};

/** A movement of ether, or of a token. */
export function move(
  from: Address,
  to: Address,
  amount: bigint,
  of: Address | null,
  more: Partial<Movement> = {},
): Movement {
  return {
    ...{ index: 0, standard: of === null ? "native" : "erc20", token: of, tokenId: null, amount, from, to },
    ...{ log: -1, call: -1, fee: false, basis: "log", ...more },
  } as Movement;
}

export interface Parts {
  movements?: Movement[];
  tx?: object;
  file?: object;
  grants?: object[];
  explanation?: object;
  calls?: object[];
  subject?: Address;
}

/** The view of an account for a transaction with these parts. */
export function viewOf(account: Address, parts: Parts = {}) {
  const movements = (parts.movements ?? []).map((one, index) => ({ ...one, index }));
  const tx = {
    ...{
      hash: "0x1",
      from: alice,
      to: vault,
      movements,
      logs: [],
      nativeComplete: true,
      feeWei: 5n,
      status: "success",
    },
    ...{ weth: new Set(), listed: new Set([usdc]), etherWorth: () => undefined, ...parts.tx },
  };
  const file = { price: { source: "ether.example", usd: null, eth_usd: "2" }, ...parts.file };
  const findings = {
    ...{ tx, subject: parts.subject ?? alice, file, labels, unwrapped: { calls: parts.calls ?? [] } },
    ruleset: { grants: { unlimited: new Set([7n]) } },
  };
  return presentView(findings as never, account, {
    ...{ explanation: { ...explanation, ...parts.explanation }, grants: parts.grants ?? [], words },
  } as never);
}

/** A right that bob gave carol, unless said otherwise. */
export const grant = (more: object = {}) => ({
  ...{
    owner: bob,
    grantee: carol,
    token: usdc,
    amount: 1_500_000n,
    stands: true,
    uncertain: false,
    kind: "erc20",
    ...more,
  },
});
