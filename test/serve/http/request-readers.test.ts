import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { readBatchBody } from "../../../src/serve/http/batch/batch-route.ts";
import {
  type BodyHeaders,
  readExplainRequest,
  readHashField,
  readJsonBody,
  readViewRequest,
} from "../../../src/serve/http/explain-request.ts";
import { hashOf } from "../../support/sample.ts";

const json: BodyHeaders = { "content-type": "application/json" };
const hash = hashOf(1);
const account = `0x${"ab".repeat(20)}`;

/** The result of a reader, or the code and the words of its refusal. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, error.message];
  }
}

const noObject = new ServiceError("invalid_json").message;
const badHash = ["invalid_tx_hash", new ServiceError("invalid_tx_hash").message];
const badAccount = ["invalid_account", new ServiceError("invalid_account").message];

describe("the headers of a body", () => {
  it.each<[string, BodyHeaders, unknown]>([
    ["JSON", json, {}],
    ["JSON in UTF-8", { "content-type": "application/json; charset=utf-8" }, {}],
    ["JSON in UTF-8, written otherwise", { "content-type": 'application/json;CHARSET="UTF8"' }, {}],
    ["JSON in ASCII", { "content-type": "application/json; charset=us-ascii" }, {}],
    ["JSON of a kind", { "content-type": "application/json; version=1" }, {}],
    ["not packed", { ...json, "content-encoding": "Identity" }, {}],
    [
      "another charset",
      { "content-type": "application/json; charset=latin1" },
      ["unsupported_media_type", "The charset of a JSON body is UTF-8."],
    ],
    [
      "a charset that only begins like one",
      { "content-type": "application/json; charset=utf-81" },
      ["unsupported_media_type", "The charset of a JSON body is UTF-8."],
    ],
    [
      "packed",
      { ...json, "content-encoding": "gzip" },
      ["unsupported_media_type", "A compressed body is not read; send it as it is."],
    ],
  ])("may say or not: %s", (_name, headers, expected) => {
    expect(outcomeOf(() => readJsonBody("{}", headers))).toEqual(expected);
    const explain = Array.isArray(expected) ? expected : ["invalid_tx_hash", "tx_hash is missing."];
    for (const read of [
      readExplainRequest,
      (body: string, given: BodyHeaders) => readViewRequest({ body, headers: given }),
    ])
      expect(outcomeOf(() => read("{}", headers))).toEqual(explain);
  });
});

describe("a body", () => {
  const empty = ["invalid_json", "The body is empty."];
  const invalid = ["invalid_json", "The body is not valid JSON."];
  it.each<[unknown, unknown]>([
    ["", empty],
    [undefined, empty],
    [{ tx_hash: hash }, empty],
    ["{", invalid],
    ["\ufeff{", invalid],
    ["null", ["invalid_json", noObject]],
    ["5", ["invalid_json", noObject]],
    ["[]", ["invalid_json", noObject]],
  ])("%j is refused by every reader", (body, expected) => {
    expect(outcomeOf(() => readJsonBody(body, json))).toEqual(expected);
    expect(outcomeOf(() => readExplainRequest(body, json))).toEqual(expected);
    expect(outcomeOf(() => readViewRequest({ body, headers: json }))).toEqual(expected);
    expect(outcomeOf(() => readBatchBody(body, json))).toEqual(expected);
  });

  it("may begin with a byte order mark", () => {
    expect(readJsonBody('\ufeff{"a":1}', json)).toEqual({ a: 1 });
  });
});

describe("a request for an explanation", () => {
  const other = ["invalid_request", "The body holds a field other than tx_hash."];
  it.each<[string, string, unknown]>([
    ["without blanks", `{"tx_hash":"${hash}"}`, hash],
    ["with a blank", `{"tx_hash": "${hash}"}`, hash],
    ["with many", ` { "tx_hash" :\n"${hash}" } `, hash],
    ["in upper case", `{"tx_hash":"0x${hash.slice(2).toUpperCase()}"}`, hash],
    ["with another field", `{"tx_hash":"${hash}","a":1}`, other],
    ["with another field alone", '{"a":1}', other],
    ["with nothing", "{}", ["invalid_tx_hash", "tx_hash is missing."]],
    ["with a hash that is too short", `{"tx_hash":"${hash.slice(0, -1)}"}`, badHash],
    ["with a hash that is no text", '{"tx_hash":5}', badHash],
    ["with a field of every object", '{"__proto__":{"tx_hash":"x"}}', other],
  ])("%s", (_name, body, expected) => {
    expect(outcomeOf(() => readExplainRequest(body, json))).toEqual(expected);
  });

  it("takes the hash of its own fields only", () => {
    expect(outcomeOf(() => readHashField(Object.create({ toString: 1 }), "too much"))).toEqual([
      ...["invalid_request", "too much"],
    ]);
  });
});

describe("a request for a view", () => {
  it.each<[string, object, unknown]>([
    ["without an account", { tx_hash: hash }, { hash, account: null }],
    ["with no account", { tx_hash: hash, account: null }, { hash, account: null }],
    ["with an account", { tx_hash: hash, account }, { hash, account }],
    ["with an account in upper case", { account: account.toUpperCase(), tx_hash: hash }, { hash, account }],
    ["with an account that is none", { tx_hash: hash, account: "0x12" }, badAccount],
    ["with an account that is no text", { tx_hash: hash, account: 5 }, badAccount],
    ["with an account alone", { account }, ["invalid_tx_hash", "tx_hash is missing."]],
    ["with no hash", { tx_hash: null, account }, badHash],
    [
      "with another field",
      { tx_hash: hash, account, a: 1 },
      ["invalid_request", "The body holds a field other than tx_hash and account."],
    ],
  ])("%s", (_name, body, expected) => {
    expect(outcomeOf(() => readViewRequest({ body: JSON.stringify(body), headers: json }))).toEqual(expected);
  });
});

describe("a batch", () => {
  const max = serviceLimits.batchLinesMax;
  const many = (count: number) => Array.from({ length: count }, (_, i) => hashOf(i));
  const invalid = ["invalid_batch", new ServiceError("invalid_batch").message];
  it.each<[string, object, unknown]>([
    ["of one hash", { tx_hashes: [hash] }, [{ hash }]],
    ["of the most hashes", { tx_hashes: many(max) }, many(max).map((one) => ({ hash: one }))],
    ["of one more", { tx_hashes: many(max + 1) }, ["invalid_batch", `tx_hashes has more than ${max} entries.`]],
    ["of none", { tx_hashes: [] }, ["invalid_batch", "tx_hashes is empty."]],
    ["with a text that is none", { tx_hashes: [hash, "x"] }, [{ hash }, { hash: null, text: "x" }]],
    ["with something that is no text", { tx_hashes: [hash, 5] }, invalid],
    ["that is no list", { tx_hashes: hash }, invalid],
    ["without a list", {}, invalid],
    [
      "with another field",
      { tx_hashes: [hash], a: 1 },
      ["invalid_request", "The body holds a field other than tx_hashes."],
    ],
  ])("%s", (_name, body, expected) => {
    expect(outcomeOf(() => readBatchBody(JSON.stringify(body), json))).toEqual(expected);
  });
});
