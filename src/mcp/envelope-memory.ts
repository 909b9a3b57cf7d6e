import { LRUCache } from "lru-cache";
import { metaName, type UsualMeta } from "./message.ts";

type Json = Record<string, unknown>;

/** Remembers the envelopes that the SDK accepted: what the `_meta` of a modern message says about its client. */
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
      // A pass or a payment beside the envelope is of one message only.
      if (Object.keys(meta).every((key) => key.startsWith(reservedPrefix)))
        usual = { text: `${metaName}${JSON.stringify(meta)}`, meta };
    },
    /** Whether this envelope was accepted before. */
    knows: (meta: Readonly<Json>) => meta === usual?.meta || accepted.get(envelopeOf(meta)) === true,
    /** The last one that was accepted; undefined before the first. A client sends the same with each message. */
    usual: () => usual,
  };
}

/** What a modern message says about its client, as text. All messages of one client have the same. */
export function envelopeOf(meta: Readonly<Json>): string {
  const { [capabilitiesKey]: capabilities, [clientKey]: client } = meta;
  return JSON.stringify(client === undefined ? [capabilities] : [capabilities, client]);
}

const envelopeCharsMax = 2_000;

/** Names of `_meta` that belong to the protocol. */
export const reservedPrefix = "io.modelcontextprotocol/";
export const capabilitiesKey = `${reservedPrefix}clientCapabilities`;
export const clientKey = `${reservedPrefix}clientInfo`;
