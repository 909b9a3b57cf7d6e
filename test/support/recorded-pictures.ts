import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "../../src/engine/engine.ts";
import type { TransactionPage } from "../../src/serve/web/transaction-page.ts";
import { root } from "./shared.ts";

export const recordedDir = join(root, "test/transactions");

/** Every recording as its page is made of it, by hash. */
export function recordedPages(): Map<string, TransactionPage> {
  const engine = openEngine({ rulesDir: join(root, "rules"), labelsDir: join(root, "labels") });
  const names = readdirSync(recordedDir).filter((name) => name.endsWith(".json"));
  return new Map(
    names.sort().map((name) => {
      const { explanation, evidence, pictureFacts, view } = engine.decide(
        JSON.parse(readFileSync(join(recordedDir, name), "utf8")),
      );
      const told = { explanation, facts: pictureFacts(), evidence: evidence(), view: view(null) };
      const page = { ...told, source: "network" } as const;
      return [name.slice(0, -5), page];
    }),
  );
}

/** What an attacker would like to see in a page. */
export const hostileStrings = [
  "<script>window.pwned=1</script>",
  '"><img src=x onerror=window.pwned=1>',
  "</title></svg><script>window.pwned=1</script>",
  "]]><svg onload=window.pwned=1>",
  "\u202eCDSU",
  "مرحبا بالعالم USDC",
  "W".repeat(32),
  "﷽﷽﷽﷽",
  `${"Z\u0338\u0322\u0315\u031b".repeat(9)}lgo`,
  "👩‍👩‍👧‍👦".repeat(9),
  "Ｕ Ｓ Ｄ Ｃ",
  "\ud800bad",
  "&amp;'\"`=",
  "测试代币测试代币测试代币",
] as const;

/** A page on which a stranger chose all texts and amounts. Its picture is as crowded as that of `base`. */
export function hostilePage(base: TransactionPage): TransactionPage {
  const evil = (i: number) => hostileStrings[i % hostileStrings.length] as string;
  const { explanation, facts } = base;
  const amounts = ["9".repeat(300), `0.${"0".repeat(50)}1`];
  const assets_moved = explanation.assets_moved.map((asset, i) => ({
    ...asset,
    token: evil(i),
    token_address: `0x${String(i).padStart(40, "a")}`,
    amount: amounts[i - 2] ?? asset.amount,
    ...(i === 4 && { token_id: "1".repeat(78), standard: "erc721" as const, amount: "1" }),
  }));
  const labels = Object.fromEntries(
    assets_moved.flatMap(({ from, to }, i) => [
      [from, evil(i)],
      [to, evil(i + 5)],
    ]),
  );
  const grant = { token: evil(0), untrusted: true, token_address: facts.subject, amount: "1", raw: false };
  return {
    ...base,
    explanation: {
      ...explanation,
      summary: `${evil(0)} ${"W".repeat(128)} ${evil(4)}`,
      assets_moved,
      counterparties: explanation.counterparties.map((party, i) => ({ ...party, label: evil(i) })),
      risk_flags: hostileStrings.map((detail) => ({ flag: "unlimited_approval", detail })),
      checks: { ...explanation.checks, note: evil(1) },
      partial: true,
      provenance: {
        ...explanation.provenance,
        untrusted_fields: assets_moved.map((_, i) => `assets_moved[${i}].token`),
      },
    },
    facts: {
      ...facts,
      labels,
      changes: hostileStrings.map((token) => ({
        token,
        untrusted: true,
        token_address: null,
        delta: "-1.5",
        raw: true,
      })),
      grants: [
        {
          ...grant,
          owner: facts.subject,
          spender: `0x${"B".repeat(40)}`,
          kind: "amount",
          unlimited: true,
          through: evil(2),
          until: null,
          uncertain: true,
        },
      ],
      failures: [{ from: facts.subject, to: facts.target, selector: null, reason: `"${evil(3)}"`, untrusted: true }],
    },
    evidence: { ...base.evidence, partial: [...hostileStrings] },
  };
}
