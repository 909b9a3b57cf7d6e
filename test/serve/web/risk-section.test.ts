import { describe, expect, it } from "vitest";
import type { CheckStatus, Checks } from "../../../src/model/explanation.ts";
import { checkSection, flagSection, type Judged } from "../../../src/serve/web/risk-section.ts";

type Flag = Judged["risk_flags"][number]["flag"];

const none: Checks = {
  ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" },
  ...{ unchecked_addresses: [], note: null },
};
const judged = (flags: readonly Flag[], checks: Partial<Checks> = {}): Judged => ({
  risk_flags: flags.map((flag) => ({ flag, detail: `<${flag}>` })),
  checks: { ...none, ...checks },
});

describe("what was found", () => {
  it("is nothing where there is no flag", () => {
    expect(flagSection(judged([]))).toBeNull();
  });

  it.each<[Flag, string, boolean]>([
    ["unverified_contract", "No published source code", false],
    ["first_time_counterparty", "First time", false],
    ["approval_for_all", "All NFTs of a collection", false],
    ["unlimited_approval", "Unlimited spending", false],
    ["known_drainer", "Known drainer", true],
    ["nonstandard_token_symbol", "Odd token name", false],
    ["impersonated_token", "Looks like another token", true],
    ["transaction_reverted", "Failed", true],
    ["simulation_reverted", "Would fail", true],
    ["gives_for_nothing", "Gives for nothing", true],
    ["unknown_message", "Unknown message", false],
    ["no_chain", "Good on any chain", false],
  ])("%s is called %s, grave: %s", (flag, name, grave) => {
    expect(String(flagSection(judged([flag])))).toBe(
      `<section><h2 class="hidden">Found</h2><ul class="flags"><li class="flag${grave ? " grave" : ""}"><strong>${name}</strong> <bdi>&lt;${flag}&gt;</bdi></li></ul></section>`,
    );
  });

  it("is listed in the order of the answer", () => {
    const text = String(flagSection(judged(["no_chain", "known_drainer", "no_chain"])));
    expect([...text.matchAll(/<strong>([^<]*)</g)].map(([, name]) => name)).toEqual([
      ...["Good on any chain", "Known drainer", "Good on any chain"],
    ]);
  });
});

describe("how far a check reached", () => {
  const items = (given: Judged) =>
    [
      ...String(checkSection(given)).matchAll(/<li class="check (\w+)"><span class="asks">([^<]*)<\/span>(.*?)<\/li>/g),
    ].map(([, look, asks, rest = ""]) => [look, asks, rest.replace(/<[^>]*>/g, "|")]);
  const asks = ["Is the code published?", "Dealt with before?", "On a list of drainers?"];
  const clean = ["Yes, of everything that was called or paid.", "Yes, with everybody who counts here."];
  const allClean = [...clean, "Nobody who took part is on one."];
  const found = ["Not of all; see above.", "Not with all; see above.", "Yes; see above."];
  const flags: Flag[] = ["unverified_contract", "first_time_counterparty", "known_drainer"];
  const all = (status: CheckStatus): Partial<Checks> => ({
    ...{ contract_verification: status, first_interaction: status, drainer_blacklist: status },
  });

  it.each<[CheckStatus, string, string, string]>([
    ["partial", "open", "Checked in part", "What was not checked may hold anything."],
    ["unavailable", "open", "Not checked", "No source answered. This says nothing, good or bad."],
    ["inconclusive", "open", "Not known", "The sources answered, but cannot tell."],
    ["not_applicable", "none", "Nothing to check", "Nobody took part to whom it applies."],
  ])("is said of %s, and what was found all the same", (status, look, word, says) => {
    expect(items(judged([], all(status)))).toEqual(asks.map((ask) => [look, ask, `|${word}||${says}|`]));
    expect(items(judged(flags, all(status)))).toEqual(
      asks.map((ask, i) => [look, ask, `|${word}||${says} ${found[i]}|`]),
    );
  });

  it("is clean or not where it reached everything", () => {
    expect(items(judged([]))).toEqual(asks.map((ask, i) => ["clean", ask, `|Clean||${allClean[i]}|`]));
    expect(items(judged(flags))).toEqual(asks.map((ask, i) => ["found", ask, `|Found||${found[i]}|`]));
    expect(items(judged(["unlimited_approval"])).map(([look]) => look)).toEqual(["clean", "clean", "clean"]);
  });

  it.each(flags.map((flag, i) => [flag, i] as const))("is told of its own flag alone: %s", (flag, place) => {
    const looks = ["clean", "clean", "clean"].with(place, "found");
    expect(items(judged([flag])).map(([look]) => look)).toEqual(looks);
  });

  it("has a note and the accounts that were not looked at, where there are any", () => {
    const hints = (checks: Partial<Checks>) =>
      String(checkSection(judged([], checks)))
        .split('<p class="hint">')
        .slice(1);
    const [a, b] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];
    const link = (address: string) =>
      `<a class="hex" href="https://basescan.org/address/${address}" title="${address}">${address.slice(0, 6)}…${address.slice(-4)}</a> `;
    expect(hints({})).toEqual([]);
    expect(hints({ note: "It is <slow>." })).toEqual(["<bdi>It is &lt;slow&gt;.</bdi></p></section>"]);
    expect(hints({ unchecked_addresses: [a, b] as never })).toEqual([
      `Not looked at: ${link(a)}${link(b)}</p></section>`,
    ]);
    expect(hints({ note: "So.", unchecked_addresses: [a] as never })).toHaveLength(2);
  });
});
