import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { readPastedRequest } from "../../../src/serve/http/preview-page/pasted-request.ts";

const me = `0x${"1".repeat(40)}`;
const you = `0x${"2".repeat(40)}`;
const other = `0x${"3".repeat(40)}`;
const typed = { types: {}, message: {} };
const operation = { sender: me, callData: "0x" };
const neither =
  "This is neither a transaction (to, value, data), nor a message (types, primaryType, domain, message), nor an authorization, nor a user operation.";

/** The request that is read from the pasted text, or the code and words of the refusal. */
function read(pasted: unknown, signer = ""): unknown {
  try {
    return readPastedRequest(typeof pasted === "string" ? pasted : JSON.stringify(pasted), signer);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, error.message];
  }
}

const refused = (words: string) => ["invalid_preview", words];
const nobody = refused("Say who would sign it: the address of your account goes into the second field.");
const chainWords = ["other_chain", "It is for another chain; this explains Base, chain 8453."];

describe("the signer of a pasted request", () => {
  it.each<[string, unknown, string, unknown]>([
    ["is named in it", { typed_data: 1, from: me }, you, { typed_data: 1, from: me }],
    ["is named beside it", { typed_data: 1 }, ` ${you}\n`, { typed_data: 1, from: you }],
    ["is nobody", { typed_data: 1 }, " ", nobody],
    [
      "is no address",
      { typed_data: 1, from: 5 },
      me,
      refused("Who would sign it is not 0x followed by 40 hex digits."),
    ],
    ["is the sender of a transaction", { from: me, to: you }, other, { from: me, to: you }],
    ["is the address beside a message", [you, typed], "", { from: you, typed_data: typed }],
    ["is the one given, before that", [you, typed], me, { from: me, typed_data: typed }],
    ["owns an authorization", { address: you, from: me }, other, { from: me, authorization: { address: you } }],
    ["owns one without a name", { address: you }, other, { from: other, authorization: { address: you } }],
  ])("%s", (_name, pasted, signer, expected) => {
    expect(read(pasted, signer)).toEqual(expected);
  });
});

describe("what was pasted", () => {
  it.each<[string, unknown, unknown]>([
    ["an own authorization", { authorization: 1 }, { authorization: 1, from: me }],
    ["an own user operation", { user_operation: 1, more: 2 }, { user_operation: 1, more: 2, from: me }],
    ["data alone", { data: "0x01" }, { data: "0x01", from: me, to: null }],
    ["input alone", { input: "0x01" }, { data: "0x01", from: me, to: null }],
    ["a value alone", { value: "1" }, { value: "1", from: me, to: null }],
    ["no receiver", { to: null, value: "1" }, { value: "1", from: me, to: null }],
    ["an empty receiver", { to: "", value: "1" }, { value: "1", from: me, to: null }],
    ["empty data", { to: you, data: "" }, { to: you, data: "0x", from: me }],
    ["an empty value", { to: you, value: "" }, { to: you, value: "", from: me }],
    ["a message as text", [other, ` ${JSON.stringify(typed)}`], { from: me, typed_data: typed }],
    ["a message first of several", [typed, { to: you }], { from: me, typed_data: typed }],
    ["a message without types", { message: {} }, refused(neither)],
    ["types without a message", { types: {} }, refused(neither)],
    ["an operation without a sender", { callData: "0x" }, refused(neither)],
    ["an operation without calls", { sender: me }, refused(neither)],
    ["calls that are no list", { calls: 1 }, refused(neither)],
    ["parameters that are no list", { params: { to: you } }, refused(neither)],
    ["parameters of a request", { params: [5, "text", { to: you }] }, { to: you, from: me }],
    ["a text of no object", ["[1]", { to: you }], { to: you, from: me }],
    ["null", "null", refused("This holds no transaction and no message: it must be a JSON object.")],
    ...["personal_sign", "eth_sign"].map((method): [string, unknown, unknown] => [
      `a text that looks like a transaction, of ${method}`,
      { method, params: [JSON.stringify({ to: you, value: "0x1" }), me] },
      refused(
        "A text or bytes to be signed (personal_sign, eth_sign) are not explained here: what a signature of them allows is not known. A hash can stand for a transaction.",
      ),
    ]),
    [
      "several calls",
      { calls: [], to: you },
      refused(
        "These are several calls at once (wallet_sendCalls). Paste the transaction that your wallet makes of them.",
      ),
    ],
    ["nothing", " ", refused("Nothing was pasted. Paste the transaction or the message as your wallet shows it.")],
    ["half of it", "{", refused("This is no JSON. Paste all of it, from the first brace to the last.")],
  ])("%s", (_name, pasted, expected) => {
    expect(read(pasted, me)).toEqual(expected);
  });

  it("keeps numbers that JSON would round as they were written, and leaves others", () => {
    const text = `{"to":"${you}","value":9007199254740993,"nonce":9007199254740991,"gas":1.50}`;
    expect(read(text, me)).toEqual({
      ...{ to: you, value: "9007199254740993", nonce: 9_007_199_254_740_991, gas: "1.50", from: me },
    });
  });
});

describe("a user operation", () => {
  const told = (from: string, entry_point: string) => ({ from, user_operation: operation, entry_point });
  it.each<[string, unknown, string, unknown]>([
    ["beside its EntryPoint", [operation, you], "", told(me, you)],
    ["signed by somebody else", [operation, you], other, told(other, you)],
    ["signed by who has the EntryPoint's address", [operation, you], you, told(me, you)],
    ["that names its EntryPoint", { ...operation, entryPoint: you }, "", told(me, you)],
    ["that names it otherwise", { ...operation, entry_point: you }, "", told(me, you)],
    ["that names one beside another", [{ ...operation, entryPoint: you }, other], me, told(me, you)],
    [
      "without an EntryPoint",
      operation,
      me,
      refused("Which EntryPoint runs this user operation is part of what is signed: paste [operation, EntryPoint]."),
    ],
  ])("%s", (_name, pasted, signer, expected) => {
    expect(read(pasted, signer)).toEqual(expected);
  });
});

describe("the fields of a transaction", () => {
  it("that a preview decides by itself are left out, and others have one name", () => {
    const unread = {
      ...{ gasPrice: 1, maxFeePerGas: 1, maxPriorityFeePerGas: 1, type: 2, accessList: [], hash: "0x", customData: {} },
      ...{ ccipReadEnabled: false, chainId: 8453, chain_id: "8453", chain: "base", kzg: 1, account: other },
    };
    expect(read({ ...unread, from: me, to: you, gasLimit: "1", nonce: 0, data: null }, "")).toEqual({
      ...{ from: me, to: you, gas: "1", nonce: 0 },
    });
  });

  it.each<[object, unknown]>([
    [
      { data: "0x01", input: "0x01" },
      { to: you, data: "0x01", from: me },
    ],
    [{ data: "0x01", input: "0x02" }, refused("The transaction says two things as its data.")],
    [{ gas: "1", gasLimit: "2" }, refused("The transaction says two things as its gas.")],
    [{ ["n".repeat(41)]: 1 }, refused(`The transaction holds a field that is not known: ${"n".repeat(40)}.`)],
    [{ chainId: "0x2105" }, { to: you, from: me }],
    [{ chainId: null, chain_id: 1 }, chainWords],
    [{ chainId: null }, { to: you, from: me }],
    [{ chainId: 1 }, chainWords],
    [{ chainId: "base" }, chainWords],
    [{ chain_id: 8454 }, chainWords],
  ])("%j", (fields, expected) => {
    expect(read({ to: you, ...fields }, me)).toEqual(expected);
  });
});

describe("an authorization", () => {
  const signature = { r: "0x1", s: "0x2" };
  const list = (one: unknown) =>
    (read({ to: you, authorizationList: [one] }, me) as { authorization_list: unknown[] }).authorization_list[0];

  it.each<[object, object]>([
    [
      { address: you, contractAddress: me, chainId: 1, nonce: 2, yParity: 0, ...signature },
      { address: you, chain_id: 1, nonce: 2, y_parity: 0, ...signature },
    ],
    [
      { contractAddress: you, delegate: me, chain_id: 3, chainId: 1, y_parity: 1, yParity: 0 },
      { address: you, chain_id: 3, y_parity: 1 },
    ],
    [{ delegate: you, more: 1 }, { address: you }],
  ])("of a transaction has our names: %j", (one, expected) => {
    expect(list(one)).toEqual(expected);
  });

  it("alone has no signature", () => {
    const one = { delegate: you, chainId: 1, nonce: 2, yParity: 0, ...signature };
    expect(read(one, me)).toEqual({ from: me, authorization: { address: you, chain_id: 1, nonce: 2 } });
  });

  it("that is malformed stays as it is, and so does a malformed list", () => {
    expect(list(5)).toBe(5);
    expect(read({ to: you, authorization_list: 5 }, me)).toEqual({ to: you, authorization_list: 5, from: me });
  });
});
