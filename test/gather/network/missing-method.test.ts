import { expect, it } from "vitest";
import { isRevert } from "../../../src/gather/network/rpc/endpoint.ts";
import { isMissingMethod } from "../../../src/gather/network/rpc/trace-method.ts";

it.each([
  [-32601, "", true],
  [-32004, "", true],
  [-32600, "", false],
  [-32602, "", false],
  [-32003, "", false],
  [null, "", false],
  [null, "the method is not found", true],
  [null, "namespace does not exist", true],
  [null, "this module is not available", true],
  [null, "API not supported", true],
  [null, "debug_traceTransaction is not allowed", true],
  [null, "trace_transaction: not enabled", true],
  [null, "method not whitelisted", true],
  [null, "Unsupported method", true],
  [null, "method unavailable", true],
  [null, "method disabled", true],
  [null, "method restricted", true],
  [null, "upgrade for this method", true],
  [null, "the method failed", false],
  [null, "block not found", false],
  [null, "methods: not found", false],
])("code %s and the words %j: a method is missing %s", (code, message, missing) => {
  expect(isMissingMethod({ code, message })).toBe(missing);
});

it.each([
  [3, "", true],
  [2, "", false],
  [4, "", false],
  [null, "Execution reverted: no", true],
  [-32000, "out of gas", true],
  [-32000, "invalid opcode: INVALID", true],
  [-32000, "header not found", false],
])("code %s and the words %j: the chain itself refused %s", (code, message, refused) => {
  expect(isRevert({ ok: false, code, message })).toBe(refused);
});
