import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { ValueWriter } from "../../../src/engine/present/values.ts";
import { alice, bob, caseOf, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";

const teller = shippedTeller();
const labels = shippedLabels();
const short = teller.short(bob);
const bitcoin = "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297";
const solana = `0x03${"20".repeat(31)}`;
const list = (...items: object[]) => ({ kind: "list", items });
const captures = new Map<string, object>([
  ["to", { kind: "chain", scheme: "cctp_domain", get: () => 5n }],
  ["elsewhere", { kind: "chain", scheme: "cctp_domain", get: () => 0n }],
  ["fixed", { kind: "const", text: "Solana" }],
  [
    "one",
    list(
      { kind: "chain", scheme: "wormhole", get: () => undefined },
      { kind: "chain", scheme: "cctp_domain", get: () => 5n },
    ),
  ],
  ["none", list({ kind: "chain", scheme: "wormhole", get: () => undefined }, { kind: "integer", get: () => 5n })],
  ["amount", { kind: "integer", get: () => 5n }],
]);

/** The text for an account. `near`: the address that was found; `far`: what was written. */
function tell(near: string | undefined, far?: string, on: string | null = null) {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<never>() };
  const writer = new ValueWriter(labels, new AssetNames(caseOf({}), labels, policy, teller), { teller } as never);
  const capture = {
    kind: "other",
    get: () => near,
    far: far === undefined ? null : { get: () => far, text: !far.startsWith("0x"), on },
  };
  const context = { subject: alice, call: { to: vault } };
  return writer.value(capture as never, { rule: { captures }, context, facet: null, zeros: false } as never);
}

describe("an account that is not the subject's own", () => {
  it.each<[what: string, Parameters<typeof tell>, string | undefined]>([
    ["an address is told short", [bob], short],
    ["the subject's own is not told", [alice], undefined],
    ["nor is the called contract", [vault], undefined],
    ["nor is nothing", [undefined], undefined],
    ["an address is told where bytes hold one", [bob, solana], short],
    ["of an unknown chain in hex", [undefined, solana], solana],
    ["of Solana in base 58", [undefined, solana, "to"], "DCdqGrt1J9YcqWzCviTM95nJoM65V1wwuPFGWSK1L9d"],
    ["of Solana in hex where it is longer", [undefined, `${solana}00`, "to"], `${solana}00`],
    ["of a chain that is always the same", [undefined, solana, "fixed"], "DCdqGrt1J9YcqWzCviTM95nJoM65V1wwuPFGWSK1L9d"],
    ["of a list that tells the chain", [undefined, solana, "one"], "DCdqGrt1J9YcqWzCviTM95nJoM65V1wwuPFGWSK1L9d"],
    ["of a list that tells none", [undefined, solana, "none"], solana],
    ["of a chain that writes hex", [undefined, solana, "elsewhere"], solana],
    ["where something else than a chain is named", [undefined, solana, "amount"], solana],
    ["of zeros not at all", [undefined, `0x${"00".repeat(32)}`, "to"], undefined],
    ["of no bytes not at all", [undefined, "0x", "to"], undefined],
    [
      "of many bytes the ends",
      [undefined, `0x${"ab".repeat(65)}`],
      teller.say("value.bytes", { hex: "0xabab…abab", count: 65 }).text,
    ],
    ["bytes of text in quotes", [undefined, `0x${Buffer.from(bitcoin).toString("hex")}`], `"${bitcoin}"`],
    ["of few letters in hex", [undefined, "0x61626364"], "0x61626364"],
    ["text in quotes", [undefined, "osmo1abc"], '"osmo1abc"'],
    ["text that looks like hex in quotes", [undefined, "0X12 is mine"], '"0X12 is mine"'],
    ["empty text not at all", [undefined, ""], undefined],
  ])("%s", (_, given, text) => expect(tell(...given)?.text).toBe(text));
});
