import { LRUCache } from "lru-cache";
import { metaName, type UsualMeta } from "./message.ts";

type Json = Record<string, unknown>;

/** Remembers the envelopes that the SDK accepted. An envelope is what the `_meta` of a modern message says about its client. */
export type EnvelopeMemory = ReturnType<typeof createEnvelopeMemory>;

export function createEnvelopeMemory() {
  const accepted = new LRUCache<string, true>({ max: 1_000 });
  let usual: UsualMeta | undefined;
  return {
    /** Notes the `_meta` of a message that the SDK accepted. */
    accept(meta: Readonly<Json>): void {
      const envelope = envelopeOf(meta);
      if (envelope.length > envelopeCharsMax) return;
      accepted.set(envelope, true);
      // Not kept with a pass or a payment in it, because these belong to one message only.
      if (Object.keys(meta).every((key) => key.startsWith(reservedPrefix)))
        usual = { text: `${metaName}${JSON.stringify(meta)}`, meta };
    },
    /** Whether this envelope was accepted before. */
    knows: (meta: Readonly<Json>) => meta === usual?.meta || accepted.get(envelopeOf(meta)) === true,
    /** The last accepted `_meta`; undefined before the first. A client sends the same one with each message. */
    usual: () => usual,
  };
}

/** The envelope of a modern message, as text. It is the same in all messages of a client. */
export function envelopeOf(meta: Readonly<Json>): string {
  const { [capabilitiesKey]: capabilities, [clientKey]: client } = meta;
  return JSON.stringify(client === undefined ? [capabilities] : [capabilities, client]);
}

const envelopeCharsMax = 2_000;

/** The start of names in `_meta` that belong to the protocol. */
export const reservedPrefix = "io.modelcontextprotocol/";
export const capabilitiesKey = `${reservedPrefix}clientCapabilities`;
export const clientKey = `${reservedPrefix}clientInfo`;
