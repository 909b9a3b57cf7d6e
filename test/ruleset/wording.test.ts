import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import { Teller } from "../../src/present/teller/teller.ts";
import { compileSources } from "../../src/ruleset/load.ts";
import { state } from "../../src/ruleset/wording/phrases.ts";
import { layWording, resolveWording, type WordingDocument } from "../../src/ruleset/wording/wording.ts";

const token = toAddress(`0x${"cd".repeat(20)}`);

/** A rule folder with nothing but a wording file. */
function folder(text: string) {
  return compileSources([{ file: "rules/wording.yaml", text }]);
}

describe("the wording of a rule folder", () => {
  it("is the package's where the folder has none", () => {
    const { ruleset, diagnostics } = compileSources([]);
    expect(diagnostics).toEqual([]);
    expect(new Teller(ruleset.wording).words("summary.reason_unknown")).toBe("The reason is not known.");
  });

  it("says what the folder says, and the rest as the package does", () => {
    const { ruleset, diagnostics } = folder(
      `phrases: { summary: { sender: "Somebody" } }\npanics: { "0x77": "a new one" }`,
    );
    expect(diagnostics).toEqual([]);
    const teller = new Teller(ruleset.wording);
    expect(teller.words("summary.sender")).toBe("Somebody");
    expect(teller.words("summary.reason_unknown")).toBe("The reason is not known.");
    expect([teller.panic(0x77n), teller.panic(0x11n)]).toEqual(["a new one", "an arithmetic operation overflowed"]);
  });

  it("is part of the fingerprint", () => {
    const { fingerprint } = compileSources([]).ruleset;
    expect(folder(`phrases: { summary: { sender: "Somebody" } }`).ruleset.fingerprint).not.toBe(fingerprint);
  });

  it("is left alone where its file is not valid", () => {
    const { ruleset, diagnostics } = folder("phrases: { summary: [] }");
    expect(diagnostics.map(({ code }) => code)).toEqual(["RL202"]);
    expect(new Teller(ruleset.wording).words("summary.sender")).toBe("The sender");
  });

  it("is refused where a phrase is missing", () => {
    const nothing: WordingDocument = { phrases: {} };
    const { problems } = resolveWording(layWording(nothing, { phrases: { summary: { sender: "Somebody" } } }));
    expect(problems.map(({ message }) => message)).toContain("the phrase `summary.also` is missing");
    expect(problems.map(({ message }) => message)).not.toContain("the phrase `summary.sender` is missing");
  });
});

describe("a phrase", () => {
  const teller = new Teller(compileSources([]).ruleset.wording);

  it("takes the form of its count", () => {
    expect(teller.say("summary.more_steps", { count: 1 }).text).toBe("took 1 more step");
    expect(teller.say("summary.more_steps", { count: 2 }).text).toBe("took 2 more steps");
  });

  it("opens with a capital where its text asks for one", () => {
    const party = state("role.token", { address: token });
    expect(teller.tell(state("flag.drainer", { party, list: "a list" }))).toMatch(
      /^The token 0x[0-9a-fA-F]{40} is on the drainer list a list\.$/,
    );
    expect(teller.tell(state("flag.unverified", { party }))).toMatch(/ for the token 0x[0-9a-fA-F]{40}\.$/);
  });

  it("is untrusted when one of its values is", () => {
    const asset = { text: '"FOO" (0x1234…abcd)', untrusted: true };
    expect(teller.say("missing.received", { asset })).toEqual({ text: `${asset.text} received`, untrusted: true });
    expect(teller.say("asset.token", { token }).untrusted).toBe(false);
  });
});
