import { describe, expect, it } from "vitest";
import { Teller } from "../../../src/engine/present/teller/teller.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { readShippedWording } from "../../../src/rules/ruleset/wording/folder-wording.ts";
import { state } from "../../../src/rules/ruleset/wording/phrases.ts";
import { layWording, resolveWording, type WordingDocument } from "../../../src/rules/ruleset/wording/wording.ts";
import { readWording, writeWording } from "../../../src/rules/ruleset/wording/written-wording.ts";

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

describe("a wording is refused", () => {
  const shipped = readShippedWording();
  const problemsOf = (phrases: WordingDocument["phrases"]) =>
    resolveWording(layWording(shipped, { phrases })).problems.map(({ path, message, key, meant }) =>
      [path.join("."), key ? "key" : "value", meant ?? "", message].join(" | "),
    );

  it.each<[WordingDocument["phrases"], string[]]>([
    [{ summary: { sender: "Somebody" } }, []],
    [
      { summary: { sendr: "Somebody" } },
      ["phrases.summary.sendr | key | sender | nothing says the phrase `summary.sendr`"],
    ],
    [{ nowhere: { sender: "a" } }, ["phrases.nowhere.sender | key |  | nothing says the phrase `nowhere.sender`"]],
    [
      { summary: { sender: { one: "a", other: "b" } } },
      ["phrases.summary.sender | value |  | the phrase `summary.sender` has no count to choose a form by"],
    ],
    [{ summary: { more_steps: { one: "one more", other: "{count} more" } } }, []],
    [
      { summary: { more_steps: { one: "{cont} more", other: "{x.opening} more" } } },
      [
        "phrases.summary.more_steps.one | value | count | `summary.more_steps` has no placeholder `{cont}`; it has `{count}`",
        "phrases.summary.more_steps.other | value |  | `summary.more_steps` has no placeholder `{x}`; it has `{count}`",
      ],
    ],
    [
      { summary: { sender: "by {who}" } },
      ["phrases.summary.sender | value |  | `summary.sender` has no placeholder `{who}`; it has none"],
    ],
    [
      { summary: { sent: "sent {amount}" } },
      ["phrases.summary.sent | value |  | `summary.sent` leaves out its placeholder `{to}`"],
    ],
    [
      { summary: { sent: "sent {amont} to {to.full}" } },
      [
        "phrases.summary.sent | value | amount | `summary.sent` has no placeholder `{amont}`; it has `{amount}`, `{to}`",
        "phrases.summary.sent | value |  | `{to.full}` asks for an unknown view; `{to.opening}` is the only one",
        "phrases.summary.sent | value |  | `summary.sent` leaves out its placeholder `{amount}`",
        "phrases.summary.sent | value |  | `summary.sent` leaves out its placeholder `{to}`",
      ],
    ],
    [
      { summary: { sent: "{amount} to {to} } {" } },
      ["phrases.summary.sent | value |  | `} {` has a brace without a placeholder"],
    ],
    [
      { summary: { sent: "{amount} {To} {to}" } },
      ["phrases.summary.sent | value |  | `{To}` has a brace without a placeholder"],
    ],
    [
      { summary: { sender: "by {constructor}" } },
      ["phrases.summary.sender | value |  | `summary.sender` has no placeholder `{constructor}`; it has none"],
    ],
  ])("%j", (phrases, expected) => {
    expect(problemsOf(phrases)).toEqual(expected);
  });

  it("nowhere where it can be said: its parts are text and placeholders", () => {
    const { wording } = resolveWording(
      layWording(shipped, {
        phrases: {
          summary: { sent: "{amount.opening}, sent to {to}", more_steps: { one: "one", other: "{count} more" } },
        },
        panics: { "0x11": "own" },
      }),
    );
    const sent = [
      { name: "amount", kind: "phrase", opening: true },
      ", sent to ",
      { name: "to", kind: "text", opening: false },
    ];
    expect(wording.phrases["summary.sent"]).toEqual({ one: sent, other: sent });
    expect(wording.phrases["summary.more_steps"]).toEqual({
      one: ["one"],
      other: [{ name: "count", kind: "number", opening: false }, " more"],
    });
    expect([wording.panics.get(17n), wording.panics.has(1n)]).toEqual(["own", true]);
  });

  it("and says a phrase that is missing by its name", () => {
    const { wording, problems } = resolveWording({ phrases: {} });
    expect(wording.phrases["summary.sender"]).toEqual({ one: ["summary.sender"], other: ["summary.sender"] });
    expect(problems.find(({ message }) => message.includes("summary.sender"))).toEqual({
      path: ["phrases"],
      message: "the phrase `summary.sender` is missing",
      key: true,
    });
    expect(wording.panics.size).toBe(0);
  });

  it("at the last of the files that say something", () => {
    const files = ["a", "b", "c"].map((folder) => ({
      file: `${folder}/wording.yaml`,
      text: folder === "c" ? "phrases: [" : 'phrases: { summary: { sendr: "Somebody" } }',
    }));
    const found = compileSources(files).diagnostics.map(({ file, code, suggest, range }) => [
      file,
      code,
      suggest,
      range.start.column,
    ]);
    expect(found.filter(([, code]) => code === "RL220")).toEqual([["b/wording.yaml", "RL220", "sender", 23]]);
  });
});

describe("a resolved wording that is written", () => {
  const shipped = readShippedWording();

  it("reads as it was", () => {
    const { wording } = resolveWording(shipped);
    const { phrases, panics } = readWording(JSON.parse(JSON.stringify(writeWording(wording))));
    expect([phrases, panics]).toEqual([wording.phrases, wording.panics]);
    expect(panics.size).toBeGreaterThan(0);
  });

  it("holds a phrase of one form once", () => {
    const { phrases } = writeWording(resolveWording(shipped).wording);
    expect(Array.isArray(phrases["summary.sender"])).toBe(true);
    expect(phrases["summary.more_steps"]).toMatchObject({ one: expect.any(Array), other: expect.any(Array) });
  });
});
