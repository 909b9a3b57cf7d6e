import { fromRlp, type Hex, numberToHex } from "viem";
import { expect, it } from "vitest";
import { readPreviewRequest } from "../../../src/gather/preview/preview-request.ts";
import { fillIn, serialize } from "../../../src/gather/preview/unsigned-transaction.ts";

const me = `0x${"11".repeat(20)}`;
const chainState = { nonce: 1n, baseFee: 1n, balance: 0n, gasLimit: 30_000_000n };

it.each([0n, 1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n - 2n])(
  "the bytes that are signed have the nonce %s as it is",
  (nonce) => {
    const request = readPreviewRequest({ from: me, to: me, nonce: nonce.toString() });
    const bytes = serialize(fillIn(request, chainState as never));
    const [, written] = fromRlp(`0x${bytes.slice(4)}`, "hex") as Hex[];
    const digits = numberToHex(nonce).slice(2);
    expect(written).toBe(nonce === 0n ? "0x" : `0x${digits.length % 2 === 0 ? "" : "0"}${digits}`);
  },
);
