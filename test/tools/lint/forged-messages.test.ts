import { describe, expect, it } from "vitest";
import { TypedDataError } from "../../../src/rules/typed-data/typed-data-error.ts";
import { people } from "../../../src/tools/lint/examples/given-names.ts";
import { forgeMessages, type MessageOutcome } from "../../../src/tools/lint/messages/forged-messages.ts";
import type { MessageCase } from "../../../src/tools/lint/messages/given-message.ts";

const typed_data = {
  types: {
    Order: [
      { name: "maker", type: "address" },
      { name: "limit", type: "uint160" },
      { name: "signed", type: "int64" },
      { name: "steps", type: "Step[2]" },
      { name: "fill", type: "Fill" },
    ],
    Step: [
      { name: "amount", type: "uint48" },
      { name: "to", type: "address" },
    ],
    Fill: [{ name: "worth", type: "uint256" }],
  },
  primaryType: "Order",
  domain: { name: "Agora", chainId: 8453, verifyingContract: "0x11" },
  message: {
    ...{ maker: "0x22", limit: "5", signed: "6", fill: { worth: "7" } },
    steps: [
      { amount: "1", to: "0x33" },
      { amount: "2", to: "0x44" },
    ],
  },
};
const original = structuredClone(typed_data);
const message = { from: "0x55", typed_data, tokens: {}, reads: [] } as unknown as MessageCase;

function forged(
  entry: object,
  { strength = 1, open = false, protocol = "Agora" as string | null, others = [{}] } = {},
) {
  const rule = { id: "agora/order", protocol, strength, message: { name: "Order", open } };
  const file = { document: { protocol: "agora", rules: [...others, { id: "order", sign: "Order", ...entry }] } };
  return forgeMessages(message, rule as never, file as never);
}

/** What was made of the message, by what was changed. */
function changed(entry: object, others?: object[]) {
  const made = forged(entry, others && { others }).map(({ change, message: one }) => [change, one.typed_data.message]);
  expect(typed_data).toEqual(original);
  return Object.fromEntries(made.slice(5));
}

const kinds = (entry: object, rule = {}) => forged(entry, rule).map(({ kind }) => kind);

describe("forgeries of a message", () => {
  it("change who checks it, the chain, and the struct", () => {
    expect(forged({}).map(({ kind, change, message: { typed_data: data } }) => [kind, change, data])).toEqual([
      ["foreign-verifier", "a stranger's contract checks it", withDomain({ verifyingContract: people.stranger })],
      ["other-chain", "it is for chain 1", withDomain({ chainId: 1 })],
      ["other-chain", "it names no chain", withDomain({ chainId: undefined })],
      [
        ...["other-type", "its first member has another name"],
        {
          ...original,
          types: { ...original.types, Order: original.types.Order.with(0, { name: "maker_", type: "address" }) },
          message: { ...original.message, maker_: "0x22" },
        },
      ],
      [
        ...["other-type", "it has a member more"],
        {
          ...original,
          types: { ...original.types, Order: [...original.types.Order, { name: "added", type: "uint256" }] },
          message: { ...original.message, added: "1" },
        },
      ],
    ]);
    expect(forged({})[2]?.message.typed_data.domain).not.toHaveProperty("chainId");
    expect(forged({})[0]?.message.from).toBe("0x55");
  });

  it("are fewer where a rule trusts nobody's contract, or leaves the struct open", () => {
    expect(kinds({}, { strength: 0 })).toEqual(["other-chain", "other-chain", "other-type", "other-type"]);
    expect(kinds({}, { open: true })).toEqual(["foreign-verifier", "other-chain", "other-chain", "other-type"]);
  });

  it("take rights to the largest number of their type", () => {
    const change = "all that is allowed has no limit";
    const rights = [
      { amount: "args.limit" },
      { amount: "args.signed" },
      { amount: "args.fill.worth" },
      { each: "args.steps", amount: "item.amount" },
    ];
    const max = (bits: bigint) => (2n ** bits - 1n).toString();
    expect(changed({ allows: rights })).toEqual({
      [change]: {
        ...{ maker: "0x22", limit: max(160n), signed: max(256n), fill: { worth: max(256n) } },
        steps: [
          { amount: max(48n), to: "0x33" },
          { amount: max(48n), to: "0x44" },
        ],
      },
    });
    expect(changed({ allows: rights[0] })).toEqual({ [change]: { ...original.message, limit: max(160n) } });
    const nft = { amount: "args.limit", id: "args.signed" };
    expect(changed({ allows: [nft, rights[1]] })).toEqual({ [change]: { ...original.message, signed: max(256n) } });
    expect(changed({ allows: [nft, { token: "args.maker" }] })).toEqual({});
    expect(changed({ allows: [{ amount: "args.limit.deeper" }] })).toEqual({ [change]: original.message });
    expect(changed({ allows: [{ each: "args.others", amount: "item.amount" }] })).toEqual({});
    expect(changed({ allows: [{ each: "args.others", amount: "item.amount" }, rights[0]] })).toEqual({
      [change]: { ...original.message, limit: max(160n) },
    });
  });

  it("take rights that stand in bytes to the largest number there, where there are so many bytes", () => {
    const terms = (path: string) => {
      const rule = {
        document: { protocol: "agora", rules: [{ id: "order", sign: "Order", allows: { amount: path } }] },
      };
      const data = {
        ...typed_data,
        types: { Order: [{ name: "terms", type: "bytes" }] },
        message: { terms: "0x11223344" },
      };
      const made = forgeMessages(
        { ...message, typed_data: data } as never,
        { id: "agora/order", strength: 1, message: { name: "Order" } } as never,
        rule as never,
      );
      return made.find(({ kind }) => kind === "endless-right")?.message.typed_data.message.terms;
    };
    expect([terms("args.terms.uintAt.1.2"), terms("args.terms.uintAt.0.4"), terms("args.terms.uintAt.3.2")]).toEqual([
      "0x11ffff44",
      "0xffffffff",
      "0x11223344",
    ]);
  });

  it("take away what is asked for in return, or give it to a stranger", () => {
    const nothing = "nothing is asked for in return";
    const diverted = "a stranger gets the return";
    const steps = { each: "args.steps", amount: "item.amount", to: "item.to" };
    const changedSteps = (field: string, value: string) => ({
      ...original.message,
      steps: original.message.steps.map((step) => ({ ...step, [field]: value })),
    });
    expect(changed({ gets: steps })).toEqual({
      [nothing]: changedSteps("amount", "0"),
      [diverted]: changedSteps("to", people.stranger as string),
    });
    expect(changed({ gets: [steps, { amount: ["args.limit", "args.signed"] }] })).toEqual({
      [nothing]: { ...changedSteps("amount", "0"), limit: "0", signed: "0" },
    });
    expect(changed({ gets: [{ nft: "args.maker", amount: "args.limit", to: "args.maker" }] })).toEqual({
      [diverted]: { ...original.message, maker: people.stranger },
    });
    expect(changed({ gets: [{ nft: "args.maker" }, steps] })).toEqual({});
    expect(changed({ gets: [{ token: "args.maker" }, { amount: "args.limit" }] })).toEqual({});
    expect(changed({})).toEqual({});
  });

  it("of a message that is made of parts follow the rule of the parts", () => {
    const part = { id: "part", sign: "Step", gets: { amount: "args.amount" } };
    const zero = { ...original.message, steps: original.message.steps.map((step) => ({ ...step, amount: "0" })) };
    const parts = { each: "args.steps", rule: "part" };
    expect(changed({ parts, gets: { amount: "args.limit" } }, [part])).toEqual({
      "nothing is asked for in return": zero,
    });
    expect(changed({ parts: { ...parts, rule: "none" } }, [part])).toEqual({});
    expect(changed({ sign: undefined, gets: { amount: "args.limit" } })).toEqual({});
    expect(changed({ id: "another", gets: { amount: "args.limit" } })).toEqual({});
  });
});

describe("what came of a forged message", () => {
  const refused = (code: TypedDataError["code"]) => new TypedDataError(code, "no");
  const told = (summary: string, rule: string | null = null, ...flags: string[]): MessageOutcome => {
    const risk_flags = flags.map((flag) => ({ flag }));
    return { explanation: { summary, risk_flags }, rule: rule && { id: rule, version: "1" } } as never;
  };
  const judge = (at: number, outcome: MessageOutcome, protocol: string | null = "Agora") =>
    forged({ allows: { amount: "args.limit" }, gets: { amount: "args.limit", to: "args.maker" } }, { protocol })[
      at
    ]?.judge(outcome);

  it.each([0, 2, 3, 4])("%i: the rule must not stand, nor its protocol be named", (at) => {
    expect(judge(at, refused("invalid_typed_data"))).toBeNull();
    expect(judge(at, told("Sign.", "agora/order"))).toBe("the rule still stands");
    expect(judge(at, told("Sign an order on Agora."))).toBe("the protocol is still named");
    expect(judge(at, told("Sign an order on Agora."), null)).toBeNull();
    expect(judge(at, told("Sign an order on Agora.", "other/order"))).toBeNull();
    expect(judge(at, told("Sign an order."))).toBeNull();
    expect(judge(at, told('Sign "Agora" and 0xabCd….'))).toBeNull();
    expect(judge(at, told("Sign 0xabCd…."), "abCd")).toBeNull();
    expect(judge(at, told("Sign it. The contract that would check the signature is Agora."))).toBeNull();
  });

  it("is refused on another chain", () => {
    expect(judge(1, refused("other_chain"))).toBeNull();
    expect(judge(1, refused("invalid_typed_data"))).toBe("it is not refused");
    expect(judge(1, told("Sign."))).toBe("it is not refused");
  });

  it("tells that there is no limit", () => {
    expect(judge(5, refused("other_chain"))).toBeNull();
    expect(judge(5, told("Allow unlimited USDC."))).toBe("no flag tells that there is no limit");
    expect(judge(5, told("Allow 5 USDC.", null, "other", "unlimited_approval"))).toBe(
      "the sentence does not tell that there is no limit",
    );
    expect(judge(5, told("Allow unlimited USDC.", null, "other", "unlimited_approval"))).toBeNull();
    expect(judge(5, told("Allow all USDC.", null, "unlimited_approval"))).toBeNull();
  });

  it.each([6, 7])("%i: tells that nothing comes back", (at) => {
    expect(judge(at, refused("other_chain"))).toBeNull();
    expect(judge(at, told("Give 5 USDC for nothing."))).toBe("no flag tells that nothing comes back");
    expect(judge(at, told("Give 5 USDC for nothing.", null, "other"))).toBe("no flag tells that nothing comes back");
    expect(judge(at, told("Give 5 USDC.", null, "other", "gives_for_nothing"))).toBe(
      "the sentence does not tell that nothing comes back",
    );
    expect(judge(at, told("Give 5 USDC for nothing.", null, "other", "gives_for_nothing"))).toBeNull();
  });
});

function withDomain(domain: object) {
  return { ...original, domain: { ...original.domain, ...domain } };
}
