import { describe, expect, it } from "vitest";
import { shorten, zeroAddress } from "../../../src/kernel/address.ts";
import { alice, maxUint, someone, usdc } from "../../engine/assess/scene.ts";
import { shippedTeller } from "../../support/wording.ts";
import { refusalOf } from "./refusal.ts";
import { decideFor, flagsOf, members, permitSingle, type Typed } from "./sample.ts";

const teller = shippedTeller();
const account = someone("account");
const thief = someone("thief");
const standard = "string name, string version, uint256 chainId, address verifyingContract, bytes32 salt";
const draft = `bytes1 fields, ${standard}, uint256[] extensions`;

/** The same message as a wallet shows it to the owner of a smart account (ERC-7739). */
function nest(inner: Typed, { of = account, chainId = 8453 as unknown, domain = standard } = {}): Typed {
  const contents = { name: "contents", type: inner.primaryType };
  const salt = `0x${"0".repeat(64)}`;
  return {
    types: { ...inner.types, TypedDataSign: [contents, ...members(domain)] },
    primaryType: "TypedDataSign",
    domain: inner.domain,
    message: {
      ...{ contents: inner.message, name: "Account", version: "1", chainId, verifyingContract: of, salt },
      ...(domain === draft && { fields: "0x0f", extensions: [] }),
    },
  };
}

function permit(change: Partial<Record<string, unknown>> = {}): Typed {
  return {
    types: { Permit: members("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline") },
    primaryType: "Permit",
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc },
    message: {
      owner: account,
      spender: thief,
      value: maxUint.toString(),
      nonce: 0,
      deadline: 1_798_934_400,
      ...change,
    },
  };
}

const inName = (summary: string) => {
  const told = { text: summary.replace(/\.$/, ""), untrusted: false };
  return `${teller.say("message.in_name", { told, account: shorten(account) }).text}.`;
};

describe("a message that is nested for an account", () => {
  it.each<[string, Typed, string]>([
    ["a permit", permit(), standard],
    ["a permit, of the first draft", permit(), draft],
    ["an allowance through Permit2", permitSingle(), standard],
    [
      "a permit with a member more",
      { ...permit(), types: { Permit: [...(permit().types.Permit ?? []).slice(0, 4)] } },
      standard,
    ],
  ])("is told as if it was signed by it: %s", (_what, inner, domain) => {
    const alone = decideFor(inner, { from: account });
    const nested = decideFor(nest(inner, { domain }));
    expect(nested.rule).toEqual(alone.rule);
    expect(flagsOf(nested)).toEqual(flagsOf(alone));
    expect(nested.explanation.grants).toEqual(alone.explanation.grants);
    expect(nested.explanation.action_type).toBe(alone.explanation.action_type);
    expect(nested.explanation.message.primary_type).toBe("TypedDataSign");
    if (alone.rule !== null)
      expect(nested.explanation.summary).toBe(
        inName(alone.explanation.summary.replace(shorten(account), shorten(alice))),
      );
  });

  it("names the account whose name it is signed in, and it is a counterparty", () => {
    const { summary, counterparties } = decideFor(nest(permit())).explanation;
    expect(summary).toContain(`in the name of the account ${shorten(account)}`);
    expect(counterparties.map(({ address }) => address.toLowerCase())).toContain(account);
  });

  it("is one's own where the account is one's own, or nobody's", () => {
    const own = decideFor(permit({ owner: alice })).explanation.summary;
    expect(decideFor(nest(permit({ owner: alice }), { of: alice })).explanation.summary).toBe(own);
    expect(decideFor(nest(permit({ owner: alice }), { of: zeroAddress })).explanation.summary).toBe(own);
  });

  it("means what its own types say, whatever it is called", () => {
    const { types, ...rest } = permit();
    const renamed = { ...rest, types: { Login: types.Permit ?? [] }, primaryType: "Login" };
    const { summary } = decideFor(nest(renamed)).explanation;
    expect(flagsOf(decideFor(nest(renamed)))).toEqual(["unknown_message"]);
    expect(summary).toContain(`"Login"`);
    expect(summary).toContain(shorten(thief));
  });

  it("is refused where the account is of another chain", () => {
    expect(refusalOf(() => decideFor(nest(permit(), { chainId: 1 })))).toContain("chain 1");
    expect(flagsOf(decideFor(nest(permit(), { chainId: 0 })))).toEqual(flagsOf(decideFor(permit(), { from: account })));
  });

  it.each([
    ["a member more", `${standard}, uint256 added`],
    [
      "members in another order",
      "string version, string name, uint256 chainId, address verifyingContract, bytes32 salt",
    ],
    ["no domain", "string name"],
  ])("is no such thing with %s", (_what, domain) => {
    const typed = nest(permit(), { domain });
    typed.message.added = 1;
    expect(flagsOf(decideFor(typed))).toEqual(["unknown_message"]);
    expect(decideFor(typed).explanation.summary).toContain(`"TypedDataSign"`);
  });
});

describe("a text that is signed for an account", () => {
  const personal = (prefixed: string): Typed => ({
    types: { PersonalSign: members("bytes prefixed") },
    primaryType: "PersonalSign",
    domain: { name: "Account", version: "1", chainId: 8453, verifyingContract: account },
    message: { prefixed },
  });

  it("is one only where it begins as texts do: the hash of other bytes may be that of a permit", () => {
    const text = `0x${Buffer.from("\x19Ethereum Signed Message:\n5hello").toString("hex")}`;
    expect(decideFor(personal(text)).rule?.id).toBe("account-messages/sign-text");
    const { rule, explanation } = decideFor(personal(`0x1901${"12".repeat(64)}`));
    expect(rule?.id).toBe("account-messages/sign-bytes");
    expect(explanation.summary).toContain("anything that this account may sign");
  });
});
