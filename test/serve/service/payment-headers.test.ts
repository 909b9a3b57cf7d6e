import { describe, expect, it } from "vitest";
import { paymentHeaders, quotaHeaders, sourceHeaders } from "../../../src/serve/service/payment-headers.ts";

describe("headers about quota and payment", () => {
  const free = { limit: 50, remaining: 7, resetSeconds: 99 };
  const rates = { "ratelimit-policy": '"free";q=50;w=86400', ratelimit: '"free";r=7;t=99' };
  it("tell the free calls and the state of a pass", () => {
    expect(quotaHeaders({ free })).toEqual(rates);
    expect(quotaHeaders({ free, pass: { status: "expired" } })).toEqual({ ...rates, "x-svc-pass-status": "expired" });
    expect(quotaHeaders({ free, pass: { status: "valid", remaining: 0 } })).toEqual({
      ...{ ...rates, "x-svc-pass-status": "valid", "x-svc-pass-remaining": "0" },
    });
  });

  it("tell the price, or the proof of a payment", () => {
    const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
    const proof = Buffer.from(JSON.stringify(receipt)).toString("base64");
    expect(paymentHeaders({ kind: "answered", answer: {} as never, quota: undefined })).toEqual({});
    expect(paymentHeaders({ kind: "failed", failure: {} as never, quota: { free } })).toEqual(rates);
    const challenge = { header: "price" } as never;
    expect(paymentHeaders({ kind: "challenged", challenge, quota: { free } } as never)).toEqual({
      ...{ ...rates, "payment-required": "price" },
    });
    const bought = { kind: "bought", body: "", content: () => ({}), fresh: true, receipt, quota: { free } } as const;
    expect(paymentHeaders(bought)).toEqual({ ...rates, "payment-response": proof });
  });

  it("mark what rests on a recording", () => {
    expect(["recording", "network", undefined].map((source) => sourceHeaders(source as never))).toEqual([
      ...[{ "x-txgloss-source": "recording" }, {}, {}],
    ]);
  });
});
