import { describe, expect, it } from "vitest";
import { failureText } from "../../src/cli/failure-text.ts";
import { missingForCharging } from "../../src/start/missing-packages.ts";

/** The failure of an import, as Node makes it. */
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /a.js`), { code: "ERR_MODULE_NOT_FOUND" });
const sentence =
  /^Charging needs packages that are not installed: npm install @x402\/core@\S+ @x402\/evm@\S+ jose@\S+ pg@\S+$/;
const form = { json: false, usage: "txgloss ledger --help says more." };

describe("packages that charging needs and that are not installed", () => {
  it.each(["@x402/core", "@x402/evm", "jose", "pg"])("are all named, and no others, for want of %s", (name) => {
    expect(missingForCharging(missing(name))).toMatch(sentence);
  });

  it.each([missing("fastify"), new Error("no 'pg'"), undefined, "'pg'"])("are no reason of %s", (error) => {
    expect(missingForCharging(error)).toBeUndefined();
  });

  it("are told by the commands that need them, as no mistake of ours", () => {
    const { text, status } = failureText(missing("jose"), form);
    expect([text, status]).toEqual([`txgloss: ${missingForCharging(missing("jose"))}\n`, 2]);
    expect(failureText(missing("fastify"), form)).toMatchObject({ status: 1 });
  });
});
