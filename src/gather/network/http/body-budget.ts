/** Thrown when the answers of all servers together are too large. The server of the last answer is not at fault. */
export class BodyBudgetError extends Error {}

export type BodyBudget = ReturnType<typeof createBodyBudget>;
export type BodyShare = ReturnType<BodyBudget["share"]>;

export interface BodyBudgetOptions {
  /** An answer with more bytes is large: large ones leave a quarter of the budget to others, so that small ones find room. */
  largeFrom?: number;
  /** How many bytes a large answer may have while hardly any others are held. More is the server's fault. */
  aloneMax?: number;
}

/** Limits the bytes of answers that the process holds at once, whatever servers send. Bytes are counted after decompression. */
export function createBodyBudget(
  bytesMax: number,
  { largeFrom = Number.POSITIVE_INFINITY, aloneMax = Number.POSITIVE_INFINITY }: BodyBudgetOptions = {},
) {
  let held = 0;
  /** How many bytes may be held in all, for an answer with so many. */
  const mostFor = (own: number): number => {
    if (own <= largeFrom) return bytesMax;
    return held - own < largeFrom ? aloneMax : (bytesMax * 3) / 4;
  };
  return {
    /** Bytes held now. */
    held: () => held,
    /** The share of one request. */
    share() {
      let own = 0;
      return {
        /**
         * Counts bytes that were read. Throws BodyBudgetError when the process would hold too many, Error for an answer too long by itself.
         */
        take(bytes: number): void {
          if (own + bytes > aloneMax) throw new Error("the answer is too long");
          if (held + bytes > mostFor(own)) throw new BodyBudgetError("the answers that are held are too long together");
          own += bytes;
          held += bytes;
        },
        /** Takes all bytes of this share off the count. */
        giveBack(): void {
          held -= own;
          own = 0;
        },
      };
    },
  };
}

/** The same response, but its bytes are counted as they are read. */
export function countBody(response: Response, share: BodyShare): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const length = headers.has("content-encoding") ? Number.NaN : Number(headers.get("content-length") ?? Number.NaN);
  // A body cannot be longer than its Content-Length, so a short one is counted at once. One more stream would cost as much as reading such
  // an answer.
  if (length <= shortBytes) {
    share.take(length);
    return response;
  }
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      share.take(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

const shortBytes = 256 * 1024;
