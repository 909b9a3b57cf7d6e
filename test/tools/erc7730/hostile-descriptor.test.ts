import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { formatReport } from "../../../src/tools/erc7730/report.ts";
import { descriptorOf, importFiles, importOne, noRules, reasonsOf, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

describe("a hostile descriptor", () => {
  it("gives a report and no text of its own", () => {
    const intents = [
      "Do\u0000it",
      "a\u202eb",
      "<b>Do</b>",
      "{protocol} swap",
      'Say "hi"',
      "x".repeat(1_000_000),
      "Visit www.evil",
      { a: 1 },
    ];
    const formats = Object.fromEntries(intents.map((intent, i) => [`f${i}(uint256 a)`, { intent }]));
    const made = importOne(descriptorOf(formats));
    expect(made.files).toEqual([]);
    expect(new Set(made.findings.map(({ reason }) => reason))).toEqual(
      new Set(["an intent that is not short, plain, printable ASCII text", "a function without an intent"]),
    );
    expect(made.findings.map(({ place }) => place)).toEqual(
      Object.keys(formats).map((key) => `/display/formats/${key}`),
    );
  });

  it("cannot bring the run down with circles, depth, size or wrong addresses", () => {
    const turning = { a: { $ref: "$.display.definitions.b" }, b: { $ref: "$.display.definitions.a" } };
    const addresses = ["0x12", 5, `0x${"0".repeat(40)}`, "0xAbcdefabcdefabcdefabcdefabcdefabcdefabcd"];
    const made = importFiles({
      "a.json": descriptorOf({ "f()": { intent: "Do" } }, { includes: "b.json" }),
      "b.json": { includes: "a.json", display: {} },
      "c.json": `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
      "d.json": `{"context": "${"x".repeat(2_100_000)}"}`,
      "e.json": "not json",
      "f.json": descriptorOf(
        {},
        {
          display: { definitions: turning, formats: { "turn(uint256 a)": { intent: "Do", fields: [turning.a] } } },
        },
      ),
      "g.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          context: { contract: { deployments: addresses.map((address) => ({ chainId: 8453, address })) } },
        },
      ),
      "h.json": '{"__proto__": {"context": 1}, "display": {"formats": {"__proto__": {"intent": "Do"}}}}',
      "i\nj.json": "[]",
      "k.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          metadata: { owner: "\u001b[31m" },
          context: {
            contract: { deployments: [{ chainId: 8453, address: vault }] },
          },
        },
      ),
    });
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-a", "erc7730-f"]);
    expect(made.findings).toMatchInlineSnapshot(`
      [
        {
          "file": "a.json",
          "place": "/includes",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "/includes",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "/display/formats/f()",
          "reason": "a function of a contract that an earlier descriptor tells",
        },
        {
          "file": "c.json",
          "place": "",
          "reason": "the file nests deeper than 48 levels",
        },
        {
          "file": "d.json",
          "place": "",
          "reason": "the file has more than 2000000 bytes",
        },
        {
          "file": "e.json",
          "place": "",
          "reason": "the file is not JSON",
        },
        {
          "file": "f.json",
          "place": "/display/definitions/a/$ref",
          "reason": "references that go in a circle",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/0/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/1/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/2/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/3/address",
          "reason": "an address with a wrong checksum",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "h.json",
          "place": "",
          "reason": "no contract: a file that others include",
        },
        {
          "file": "i
      j.json",
          "place": "",
          "reason": "the file is not a JSON object",
        },
        {
          "file": "k.json",
          "place": "/metadata/owner",
          "reason": "a name that is not short, plain, printable ASCII text",
        },
        {
          "file": "k.json",
          "place": "/metadata",
          "reason": "no contract name that is short, plain, printable ASCII text",
        },
      ]
    `);
    expect(formatReport(made.findings, { files: 2, rules: 10 })).toMatch(/^[\x20-\x7e\n]*$/);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);

  it("cannot lead out of its folder by a link", () => {
    const outside = writeFolder({ "secret.json": { display: { formats: { "f()": { intent: "Leak" } } } } });
    const dir = writeFolder({ "vault.json": descriptorOf({}, { includes: "link.json" }) });
    symlinkSync(join(outside, "secret.json"), join(dir, "link.json"));
    const made = importDescriptors(join(dir, "vault.json"), noRules);
    expect(made.files).toEqual([]);
    expect(reasonsOf(made)).toEqual([
      "/includes: an include outside of the folder is not read: import the folder that holds both",
      "/display/formats: no functions",
    ]);
  });
});
