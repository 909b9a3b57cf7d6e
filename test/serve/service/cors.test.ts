import { describe, expect, it } from "vitest";
import { allowPages, anyOriginHeaders, oneOriginHeaders } from "../../../src/serve/service/cors.ts";

describe("the pages that may read an answer", () => {
  const any = { ...anyOriginHeaders };
  const one = {
    ...{ vary: "Origin", "access-control-allow-origin": "https://a.example" },
    "access-control-expose-headers": any["access-control-expose-headers"],
  };
  const allowed = { "access-control-allow-origin": "*" };
  it.each<[string[], object, object, object]>([
    [["https://a.example", "*"], allowed, any, any],
    [[], {}, {}, {}],
    [["https://a.example"], { vary: "Origin" }, one, { vary: "Origin" }],
  ])("of %j", (origins, always, listed, other) => {
    const policy = allowPages(origins);
    expect(policy.always).toEqual(always);
    expect(policy.headersFor("https://a.example")).toEqual(listed);
    expect(policy.headersFor("https://b.example")).toEqual(other);
    expect(policy.headersFor(undefined)).toEqual(always);
  });

  it("are of one origin where only that one may", () => {
    expect(oneOriginHeaders("https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
      "access-control-expose-headers":
        "PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, X-SVC-Pass-Remaining, X-SVC-Pass-Status",
      vary: "Origin",
    });
  });
});
