import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { messageFlags } from "../../../src/engine/present/message/message.ts";
import { summarizeMessage } from "../../../src/engine/present/message/message-summary.ts";
import { alice, caseOf, usdc, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";
import { right } from "./message-rights.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);

interface Parts {
  rights?: object[];
  amounts?: { key: string; amount: bigint }[];
  text?: string;
  listed?: boolean;
  forNothing?: "all" | "some" | null;
  chainId?: bigint | null;
  yields?: boolean;
}

function findingsOf({ rights = [], text = "pay", listed = false, forNothing = null, chainId = 8453n, yields }: Parts) {
  const rule = { does: { text, parts: [] }, yields: yields ?? false, captures: new Map() };
  const context = { flow: { gives: [], gets: [] } };
  const matched = { rule, context, rights, parts: null, listed, forNothing, diverted: { assets: [], to: [] } };
  return { matched, domain: { chainId, verifyingContract: vault }, signer: alice, account: alice } as never;
}

/** What is said beside the sentence of the rule. */
function besides(parts: Parts): string {
  const writer = {
    write: () => ({ text: "pay", untrusted: false, amounts: parts.amounts ?? [] }),
    address: () => "Bob",
  };
  const { text } = summarizeMessage(findingsOf(parts), null, { names, teller, writer } as never);
  return text.replace(/^[^.]*\. ?/, "");
}

describe("rights beside the sentence about a message", () => {
  const allows = teller.say("message.also_allows", {
    spender: "Bob",
    amount: { text: "5 USDC", untrusted: false },
  }).text;
  const allowsAll = allows.replace("5 USDC", names.unlimited(usdc).text);
  const more = (count: number) => teller.say("message.more_allowed", { count }).text;
  const nft = right({ token: vault, amount: 1n, id: 7n });

  it.each<[string, Parts, string]>([
    ["none", {}, ""],
    ["one that the sentence tells", { rights: [right()], amounts: [{ key: usdc, amount: 5_000_000n }] }, ""],
    ["one of which it tells more", { rights: [right()], amounts: [{ key: usdc, amount: 5_000_001n }] }, ""],
    ["one of which it tells less", { rights: [right()], amounts: [{ key: usdc, amount: 4_999_999n }] }, allows],
    ["one of another token", { rights: [right()], amounts: [{ key: vault, amount: 5_000_000n }] }, allows],
    ["an NFT that it tells", { rights: [nft], amounts: [{ key: `${vault}:7`, amount: 1n }] }, ""],
    ["two", { rights: [right(), right()] }, `${allows} ${more(1)}`],
    ["three", { rights: [right(), right(), right()] }, `${allows} ${more(2)}`],
    ["some that the list of the sentence names", { rights: [right(), right()], text: "allow {allowed}" }, ""],
    ["one without end, which the sentence is about", { rights: [right({ endless: true })] }, ""],
    ["one without amount, which the sentence is about", { rights: [right({ amount: null })] }, ""],
    ["one without end of a list", { rights: [right({ endless: true })], listed: true }, allowsAll],
    ["one without amount of a list", { rights: [right({ amount: null })], listed: true }, allows.replace("5 ", "")],
  ])("%s", (_case, parts, said) => {
    expect(besides(parts)).toBe(said);
  });

  it("leave room for one sentence less if no chain is named", () => {
    expect(besides({ rights: [right(), right()], chainId: null })).toBe(
      `${allows} ${teller.say("message.no_chain", {}).text}`,
    );
  });
});

describe("flags of messages", () => {
  const flags = (parts: Parts) => messageFlags(findingsOf(parts), { names, teller } as never).map(({ flag }) => flag);

  it.each<[Parts, string[]]>([
    [{}, []],
    [{ forNothing: "all" }, ["gives_for_nothing"]],
    [{ forNothing: "some" }, ["gives_for_nothing"]],
    [{ yields: true }, ["unknown_message"]],
    [{ chainId: null }, ["no_chain"]],
    [{ forNothing: "all", yields: true, chainId: null }, ["gives_for_nothing", "unknown_message", "no_chain"]],
  ])("%#", (parts, expected) => {
    expect(flags(parts)).toEqual(expected);
  });
});
