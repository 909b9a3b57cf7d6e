import { expect, it } from "vitest";
import { reasonOfError, reasonOfStatus } from "../../../src/gather/network/health/fault-reason.ts";

it.each([
  [200, "garbage"],
  [304, "garbage"],
  [400, "garbage"],
  [401, "unauthorized"],
  [402, "garbage"],
  [403, "unauthorized"],
  [404, "garbage"],
  [428, "garbage"],
  [429, "busy"],
  [430, "garbage"],
  [499, "garbage"],
  [500, "server_error"],
  [503, "server_error"],
] as const)("a status of %i, when the answer is of no use, is %s", (status, reason) => {
  expect(reasonOfStatus(status)).toBe(reason);
});

const coded = (code: string) => Object.assign(new Error("no"), { code });
const named = (name: string) => Object.assign(new Error("no"), { name });

it.each([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["CERT_HAS_EXPIRED", "tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["EPROTO", "tls"],
  ["ETIMEDOUT", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["ECONNREFUSED", "unreachable"],
  ["ECONNRESET", "unreachable"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EPIPE", "unreachable"],
  ["UND_ERR_SOCKET", "unreachable"],
  ["ESOMETHING", "failing"],
])("an error with the code %s is %s, also as the cause of another", (code, reason) => {
  expect(reasonOfError(coded(code))).toBe(reason);
  expect(reasonOfError(new Error("fetch failed", { cause: coded(code) }))).toBe(reason);
  expect(reasonOfError(new Error("fetch failed", { cause: new AggregateError([coded(code)]) }))).toBe(reason);
});

it.each([
  ["a code before the code of its cause", Object.assign(coded("EPIPE"), { cause: coded("ENOTFOUND") }), "unreachable"],
  ["the first of several errors", new AggregateError([coded("ECONNREFUSED"), coded("ENOTFOUND")]), "unreachable"],
  ["a time that is up", named("TimeoutError"), "timeout"],
  ["a time that is up, as a cause", new Error("no", { cause: named("TimeoutError") }), "timeout"],
  ["a caller who gave up", named("AbortError"), undefined],
  ["an error without a code", new Error("no"), "failing"],
  ["no error", "no", "failing"],
])("%s", (_name, error, reason) => {
  expect(reasonOfError(error)).toBe(reason);
});
