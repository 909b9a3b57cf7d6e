import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { readPastedRequest } from "../../../src/serve/http/preview-page/pasted-request.ts";
import { me, permit, you } from "./asked-permit.ts";

describe("what people paste", () => {
  const big = `{"from":"${me}","to":"${you}","value":1000000000000000000}`;
  it.each([
    ["a body of POST /preview", { from: me, to: you, data: "0x" }, "", { from: me, to: you, data: "0x" }],
    ["no sender", { to: you, value: "1" }, ` ${me} `, { from: me, to: you, value: "1" }],
    [
      "a request of a site",
      { id: 1, method: "eth_sendTransaction", params: [{ from: me, to: you }] },
      "",
      { from: me, to: you },
    ],
    ["a creation", { from: me, data: "0x6001" }, "", { from: me, to: null, data: "0x6001" }],
    ["an empty receiver", { from: me, to: "", data: "0x6001" }, "", { from: me, to: null, data: "0x6001" }],
    [
      "other names",
      { from: me, to: you, input: "0x01", gasLimit: "21000" },
      "",
      { from: me, to: you, data: "0x01", gas: "21000" },
    ],
    [
      "both names for one thing",
      { from: me, to: you, input: "0x01", data: "0x01" },
      "",
      { from: me, to: you, data: "0x01" },
    ],
    [
      "prices and nulls",
      { from: me, to: you, nonce: null, maxFeePerGas: "0x1", accessList: [] },
      "",
      { from: me, to: you },
    ],
    ["an exact large number", big, "", { from: me, to: you, value: "1000000000000000000" }],
    [
      "EIP-7702",
      {
        from: me,
        to: me,
        authorizationList: [{ chainId: 8453, address: you, nonce: 1, yParity: 0, r: "0x1", s: "0x2" }],
      },
      "",
      {
        from: me,
        to: me,
        authorization_list: [{ address: you, chain_id: 8453, nonce: 1, y_parity: 0, r: "0x1", s: "0x2" }],
      },
    ],
    [
      "an authorization",
      { contractAddress: you, chainId: 8453, nonce: 1 },
      me,
      { from: me, authorization: { address: you, chain_id: 8453, nonce: 1 } },
    ],
    [
      "a user operation",
      [{ sender: me, callData: "0x" }, you],
      "",
      { from: me, user_operation: { sender: me, callData: "0x" }, entry_point: you },
    ],
    ["an own message", { typed_data: permit }, me, { from: me, typed_data: permit }],
  ])("is understood: %s", (_, pasted, signer, fields) => {
    expect(readPastedRequest(typeof pasted === "string" ? pasted : JSON.stringify(pasted), signer)).toEqual(fields);
  });

  it.each([
    ["nothing", " ", "", "Nothing was pasted."],
    ["a number", "7", me, "must be a JSON object"],
    ["a list of nothing", "[]", me, "must be a JSON object"],
    ["an object about nothing", '{"a":1}', me, "This is neither a transaction"],
    ["nobody who signs", JSON.stringify(permit), "", "Say who would sign it"],
    ["somebody who is none", JSON.stringify(permit), "me", "is not 0x followed by 40 hex digits"],
    ["several calls", '{"calls":[]}', me, "several calls at once"],
    ["an unknown field", `{"to":"${you}","foo":1}`, me, "a field that is not known: foo."],
    ["two calldatas", `{"to":"${you}","data":"0x01","input":"0x02"}`, me, "says two things as its data"],
    ["a user operation alone", `{"sender":"${me}","callData":"0x"}`, "", "paste [operation, EntryPoint]"],
    ["another chain", `{"to":"${you}","chainId":1}`, me, "It is for another chain"],
    ["broken inner text", JSON.stringify([me, "{"]), "", "This is no JSON."],
  ])("is refused in a sentence: %s", (_, text, signer, message) => {
    expect(() => readPastedRequest(text, signer)).toThrow(ServiceError);
    expect(() => readPastedRequest(text, signer)).toThrow(message);
  });
});
