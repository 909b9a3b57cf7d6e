import { describe, expect, it } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { decide } from "../../../src/engine/spine.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { parseDecimal } from "../../../src/kernel/amount.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { AccountView } from "../../../src/model/told/account-view.ts";
import { explainCase, labels, recordings, ruleset } from "../../property/world.ts";
import { compileSchema } from "../../support/schema.ts";

const isView = compileSchema("view");
const viewOf = (file: CaseFile, account: Address | null) => decide(file, ruleset, labels).view(account);

/** Everybody who gave or got something. */
function accountsOf(file: CaseFile): Address[] {
  return [...new Set(normalize(file, labels).movements.flatMap(({ from, to }) => [from, to]))];
}

describe.each(recordings.map((file) => [file.tx_hash, file] as const))("views of %s", (_hash, file) => {
  it("sum to zero for each asset over all accounts, and fit the schema", () => {
    const sums = new Map<string, bigint>();
    for (const account of accountsOf(file)) {
      const viewed = viewOf(file, account);
      expect(isView(viewed), JSON.stringify(isView.errors)).toBe(true);
      for (const { token_address, token_id, delta } of viewed.balance_changes) {
        const key = `${token_address} ${token_id}`;
        sums.set(key, (sums.get(key) ?? 0n) + signed(delta));
      }
    }
    expect([...sums].filter(([, sum]) => sum !== 0n)).toEqual([]);
  });

  it("tell the account of the act what the explanation tells, and no other account's act as its own", () => {
    const { explanation, evidence } = explainCase(file);
    const own = viewOf(file, null);
    expect(own.account.toLowerCase()).toBe(evidence().subject);
    expect(own.summary).toBe(explanation.summary);
    expect(own).toMatchObject({ risk_flags: explanation.risk_flags, checks: explanation.checks });
    for (const account of accountsOf(file).slice(0, 5)) {
      if (account === evidence().subject) continue;
      const other = viewOf(file, account);
      expect(other.summary).toMatch(new RegExp(`(?:^|of )${account.slice(0, 4)}`, "i"));
      expect(other.role).not.toBe("subject");
    }
  });
});

/** The amount in base units of a token with at most 36 decimals, which hold every amount exactly. */
function signed(delta: string): bigint {
  const size = parseDecimal(delta.replace("-", ""), 36) as bigint;
  return delta.startsWith("-") ? -size : size;
}

describe("a view", () => {
  const stranger = "0x00000000000000000000000000000000000d00d1" as Address;
  const [file] = recordings as readonly [CaseFile];

  it("of somebody whom nothing names says so", () => {
    const viewed: AccountView = viewOf(file, stranger);
    expect(viewed).toMatchObject({ role: "bystander", balance_changes: [], grants: [], paid_gas_usd: 0 });
    expect(viewed.summary).toMatch(/^Nothing of 0x0000…00d1 moved, as far as can be seen\.$/i);
  });

  it("of a reverted transaction moves nothing", () => {
    const reverted = recordings.find(({ receipt }) => receipt.status === "0x0") as CaseFile;
    const { summary, balance_changes } = viewOf(reverted, stranger);
    expect(balance_changes).toEqual([]);
    expect(summary).toMatch(/^The transaction reverted, so nothing of /);
  });
});
