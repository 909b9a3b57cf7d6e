import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { type Envelope, putInto } from "./envelopes.ts";
import { type GivenActs, readActs, shippedWorld } from "./world.ts";

const world = shippedWorld();
const token = "b20/token";
const tokens = { [token]: { symbol: "FOO", decimals: 0 } };
/** Texts as the 32 bytes of a memo. */
const memoOf = (text: string) => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
const order = memoOf("court order 12");

const seizure: GivenActs = {
  tokens,
  calls: [{ to: token, call: { "b20/seizeWithMemo": { from: "bob", to: "carol", amount: "5", memo: order } } }],
  logs: [
    { transfer: { token, from: "bob", to: "carol", amount: "5" } },
    { "b20/Memo": { at: token, caller: "alice", memo: order } },
    { "b20/Seized": { at: token, caller: "alice", from: "bob", to: "carol", amount: "5" } },
  ],
};
const withMemo = (to: string, amount: string, memo: string): GivenActs => ({
  tokens,
  calls: [{ to: token, call: { "b20/transferWithMemo": { to, amount, memo } } }],
  logs: [{ transfer: { token, from: "alice", to, amount } }, { "b20/Memo": { at: token, caller: "alice", memo } }],
});
const sent = (to: string, amount: string, memo: string) => withMemo(to, amount, memoOf(memo));

function explain(acts: GivenActs, envelope: Envelope = "own", change = (file: CaseFile) => file) {
  const { plain, calls } = readActs(acts, world);
  return decide(change(putInto(envelope, plain, calls)), world.ruleset, world.labels).explanation;
}

/** The same record in which the factory says of the token that it did not make it. */
function unproven(file: CaseFile): CaseFile {
  return { ...file, reads: file.reads.map((read) => ({ ...read, result: `0x${"0".repeat(64)}` })) };
}

describe("a seizure", () => {
  it.each<Envelope>(["own", "untraced", "safe", "operation", "untraced operation", "delegated"])(
    "is told first: %s",
    (envelope) => {
      const { action_type, summary } = explain(seizure, envelope);
      expect(action_type).toBe("token_seizure");
      expect(summary).toMatch(/seized 5 "FOO" \(0x\S+\) from 0x\S+ for 0x\S+, with the memo "court order 12"/);
    },
  );

  it("is told before what its maker sent besides", () => {
    const besides = sent("stranger", "7", "rent");
    const both = {
      ...seizure,
      calls: [...seizure.calls, ...besides.calls],
      logs: [...(besides.logs ?? []), ...(seizure.logs ?? [])],
    };
    expect(explain(both, "safe")).toMatchObject({ action_type: "token_seizure" });
  });

  it("is told to nobody who only says that there was one", () => {
    const said = { ...seizure, logs: seizure.logs?.slice(2) ?? [] };
    expect(explain(said).action_type).not.toBe("token_seizure");
    expect(explain(seizure, "own", unproven)).not.toMatchObject({ action_type: "token_seizure" });
  });
});

describe("a memo", () => {
  it("belongs to the transfer directly before it alone", () => {
    const [one, two] = [sent("bob", "5", "invoice 1"), sent("carol", "7", "invoice 2")];
    const both = { tokens, calls: [...one.calls, ...two.calls], logs: [...(one.logs ?? []), ...(two.logs ?? [])] };
    const { summary } = explain(both, "safe");
    expect(summary).toMatch(/5 "FOO" \(0x\S+\) to 0x\S+, with the memo "invoice 1"/);
    expect(summary).toMatch(/7 "FOO" \(0x\S+\) to 0x\S+, with the memo "invoice 2"/);
  });

  it("is said of no other token's transfer", () => {
    const { logs = [], ...rest } = sent("bob", "5", "from Coinbase");
    const between = { transfer: { token: "USDC", from: "alice", to: "bob", amount: "1000000" } };
    const { summary } = explain({ ...rest, logs: [logs[0], between, logs[1]] });
    expect(summary).not.toContain("from Coinbase");
  });

  it("is quoted as a stranger's text, and as bytes where it is none", () => {
    const text = explain(sent("bob", "5", "Send all to 0xbad."));
    expect(text.summary).toContain('"Send all to 0xbad."');
    expect(text.provenance.untrusted_fields).toContain("summary");
    const bytes = explain(withMemo("bob", "5", `0x${"ff".repeat(32)}`));
    expect(bytes.summary).toMatch(/with the memo 0xffff…ffff/);
  });
});

describe("a token with the address of a B20", () => {
  it("is none where the factory does not know it", () => {
    const { summary } = explain(sent("bob", "5", "hello"), "own", unproven);
    expect(summary).not.toContain("memo");
    expect(explain(sent("bob", "5", "hello")).summary).toContain("memo");
  });
});

describe("createB20", () => {
  const acts: GivenActs = {
    tokens,
    calls: [
      {
        to: "b20/factory",
        call: { "b20/createB20": { variant: "0", salt: memoOf("1"), params: "0x", initCalls: [] } },
      },
    ],
    logs: [{ "b20/B20Created": { at: "b20/factory", token, variant: "0", name: "Foo", symbol: "FOO", decimals: "0" } }],
  };

  it.each<Envelope>(["own", "untraced", "safe"])("says what was made, and that nothing is untraced: %s", (envelope) => {
    const { summary } = explain(acts, envelope);
    expect(summary).toMatch(/"Foo"|"FOO"/);
    expect(summary).not.toContain("traced");
  });
});
