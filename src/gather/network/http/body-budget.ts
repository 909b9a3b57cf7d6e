/** All answers together are too large: not the last server's fault. */
export class BodyBudgetError extends Error {}

export type BodyBudget = ReturnType<typeof createBodyBudget>;
export type BodyShare = ReturnType<BodyBudget["share"]>;

export interface BodyBudgetOptions {
  /** Bytes; larger answers leave a quarter of the budget to small ones. */
  largeFrom?: number;
  /** Bytes of a large answer while few others are held; more is the server's fault. */
  aloneMax?: number;
}

/** Bytes of answers held at once, after decompression. */
export function createBodyBudget(
  bytesMax: number,
  { largeFrom = Number.POSITIVE_INFINITY, aloneMax = Number.POSITIVE_INFINITY }: BodyBudgetOptions = {},
) {
  let held = 0;
  const mostFor = (own: number): number => {
    if (own <= largeFrom) return bytesMax;
    return held - own < largeFrom ? aloneMax : (bytesMax * 3) / 4;
  };
  return {
    /** Bytes held now. */
    held: () => held,
    share() {
      let own = 0;
      return {
        /** Throws BodyBudgetError where all are too many, Error where this answer is too long. */
        take(bytes: number): void {
          if (own + bytes > aloneMax) throw new Error("the answer is too long");
          if (held + bytes > mostFor(own)) throw new BodyBudgetError("the answers that are held are too long together");
          own += bytes;
          held += bytes;
        },
        giveBack(): void {
          held -= own;
          own = 0;
        },
      };
    },
  };
}

export function countBody(response: Response, share: BodyShare): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      share.take(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
