import { describe, expect, it } from "vitest";
import {
  capabilitiesKey,
  clientKey,
  createEnvelopeMemory,
  envelopeOf,
} from "../../../src/serve/mcp/envelope-memory.ts";
import { modernMeta } from "../../support/mcp-message.ts";

describe("the memory of envelopes", () => {
  const metaOf = (chars: number) => {
    const meta = { [capabilitiesKey]: {}, [clientKey]: { name: "" } };
    const rest = chars - envelopeOf(meta).length;
    return { ...meta, [clientKey]: { name: "x".repeat(rest) } };
  };

  it("holds what a client is and can, up to a length", () => {
    const memory = createEnvelopeMemory();
    const [fits, long] = [metaOf(2_000), metaOf(2_001)];
    memory.accept(long);
    expect([memory.knows(long), memory.usual()]).toEqual([false, undefined]);
    memory.accept(fits);
    expect(memory.knows({ ...fits, "svc/pass": "p" })).toBe(true);
    expect(memory.usual()).toEqual({ text: `"_meta":${JSON.stringify(fits)}`, meta: fits });
    expect(memory.knows({ [capabilitiesKey]: {} })).toBe(false);
    memory.accept({ [capabilitiesKey]: { a: 1 }, "svc/pass": "p" });
    expect(memory.usual()?.meta).toBe(fits);
    expect(memory.knows({ [capabilitiesKey]: { a: 1 } })).toBe(true);
  });

  it("tells clients apart by all that they say", () => {
    expect(envelopeOf({ [capabilitiesKey]: { a: 1 } })).toBe('[{"a":1}]');
    expect(envelopeOf({ [capabilitiesKey]: {}, [clientKey]: { name: "c" }, other: 1 })).toBe('[{},{"name":"c"}]');
  });

  it("never takes a pass, a payment or a long envelope as the usual one", () => {
    const empty = createEnvelopeMemory();
    empty.accept({ ...modernMeta, "svc/pass": "svc_x" });
    expect(empty.usual()).toBeUndefined();
    expect(empty.knows(modernMeta)).toBe(true);
    const long = { ...modernMeta, "io.modelcontextprotocol/clientInfo": { name: "x".repeat(2_000), version: "1" } };
    empty.accept(long);
    expect([empty.usual(), empty.knows(long)]).toEqual([undefined, false]);
  });
});
