import { describe, expect, it } from "vitest";
import { changeSection } from "../../../src/serve/web/change-section.ts";
import { addressOf, picturedOf } from "../picture/sample.ts";

const change = (more: object = {}) => ({
  ...{ token: "USDC", untrusted: false, token_address: addressOf("U"), delta: "5", raw: false, ...more },
});
const told = (more: object = {}) => ({
  ...{ token: "USDC", token_address: addressOf("U"), standard: "erc20", delta: "5", usd: 5, price_source: "p" },
  ...{ balance_check: "equal", ...more },
});
const viewOf = (changes: object[], more: object = {}) => ({
  ...{ balance_changes: changes, role: "subject", provenance: { untrusted_fields: [] }, ...more },
});

function section(changes: object[], view: object | null = null, planned = false): string | null {
  const pictured = picturedOf({ planned });
  const whole = { ...pictured, facts: { ...pictured.facts, changes } };
  return changeSection(whole as never, view as never)?.text ?? null;
}

/** The cells of each row: their class, if they have one, and their text. */
function rows(changes: object[], view: object | null = null): string[][] {
  const found = [...(section(changes, view) ?? "").matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)];
  return found.map(([, row = ""]) => {
    const [name = "", ...cells] = row.split(/<\/t[dh]>(?:<td|$)/).slice(0, -1);
    const plain = (text: string) => text.replace(/<[^>]*>/g, "");
    return [
      plain(name),
      ...cells.map((cell) =>
        cell.replace(/^(?: class="([^"]*)")?>(.*)$/, (_all, kind, text) => `${kind ?? ""}: ${plain(text)}`),
      ),
    ];
  });
}

describe("what changed for the subject", () => {
  it.each<[string, object, string[]]>([
    ["more", {}, ["USDC", "num plus: +5"]],
    ["less", { delta: "-1234.5" }, ["USDC", "num minus: −1,234.5"]],
    ["raw units", { raw: true }, ["USDC raw units", "num plus: +5"]],
    ["an NFT", { token_id: "7" }, ["USDC #7", "num plus: +5"]],
    ["a stranger's token", { untrusted: true }, ["“USDC”", "num plus: +5"]],
  ])("is %s", (_what, more, row) => {
    expect(rows([change(more)])).toEqual([row]);
  });

  it.each<[string, object[], string[]]>([
    ["what it was worth", [told()], ["num: $5.00", ": p", "agrees: agree"]],
    ["that balances differ", [told({ balance_check: "differs" })], ["num: $5.00", ": p", "differs: differ"]],
    ["that nothing was checked", [told({ balance_check: "not_checked" })], ["num: $5.00", ": p", "none: not checked"]],
    ["that no price is known", [told({ usd: null })], ["num none: no price known", "none: –", "agrees: agree"]],
    ["no price of an NFT", [told({ usd: null, standard: "erc721" })], ["num none: –", "none: –", "agrees: agree"]],
    ["no price of copies", [told({ usd: null, standard: "erc1155" })], ["num none: –", "none: –", "agrees: agree"]],
    [
      "nothing of another token",
      [told({ token_address: addressOf("V") })],
      ["num none: –", "none: –", "none: not checked"],
    ],
    ["nothing of another NFT", [told({ token_id: "7" })], ["num none: –", "none: –", "none: not checked"]],
    ["nothing at all", [], ["num none: –", "none: –", "none: not checked"]],
  ])("has beside it %s", (_what, changes, cells) => {
    expect(rows([change()], viewOf(changes))).toEqual([["USDC", "num plus: +5", ...cells]]);
  });

  it("has what came and went, where balances differ all the same", () => {
    const passed = told({ delta: "0", usd: 0, balance_check: "differs", token: "ODD" });
    const row = (name: string) => [name, "num plus: ±0", "num: $0", ": p", "differs: differ"];
    expect(rows([], viewOf([told({ token_address: addressOf("V") }), passed]))).toEqual([row("ODD")]);
    const strange = { provenance: { untrusted_fields: ["balance_changes[0].token"] } };
    expect(rows([], viewOf([passed], strange))).toEqual([row("“ODD”")]);
    expect(section([], viewOf([told()]))).toBeNull();
    expect(section([])).toBeNull();
  });

  it("has the heads, the hints and the tense that belong to it", () => {
    const has = (text: string, ...given: Parameters<typeof section>) => section(...given)?.includes(text);
    expect([has("Worth then", [change()]), has("Worth then", [change()], viewOf([]))]).toEqual([false, true]);
    expect([has("valued", [change()]), has("valued", [change()], viewOf([]))]).toEqual([false, true]);
    expect([has("What changed for", [change()]), has("What would change for", [change()], null, true)]).toEqual([
      ...[true, true],
    ]);
    const ether = change({ token_address: null, token: "ETH" });
    const sender = { role: "sender" };
    const fee = (changes: object[], more: object) => has("The fee of the transaction", changes, viewOf([], more));
    expect([fee([change(), ether], sender), fee([change()], sender), fee([ether], {})]).toEqual([true, false, false]);
    const differ = (check: string) =>
      has("“Differ” means", [change()], viewOf([told(), told({ balance_check: check })]));
    expect([differ("differs"), differ("equal"), differ("not_checked")]).toEqual([true, false, false]);
  });
});
