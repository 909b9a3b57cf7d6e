/** Answers that are too much together. It is not the fault of the server that sent the last one. */
export class BodyBudgetError extends Error {}

export type BodyBudget = ReturnType<typeof createBodyBudget>;
export type BodyShare = ReturnType<BodyBudget["share"]>;

/** Bounds the bytes of answers that the process holds at once, whatever servers send. Bytes count as they are unpacked. */
export function createBodyBudget(bytesMax: number) {
  let held = 0;
  return {
    /** Bytes held now. */
    held: () => held,
    /** What one request holds of them. */
    share() {
      let own = 0;
      return {
        /** Notes bytes that were read. Throws BodyBudgetError when the process holds too many. */
        take(bytes: number): void {
          if (held + bytes > bytesMax) throw new BodyBudgetError("the answers that are held are too long together");
          own += bytes;
          held += bytes;
        },
        /** Gives all of them back. */
        giveBack(): void {
          held -= own;
          own = 0;
        },
      };
    },
  };
}

/** The same response, whose body notes its bytes as it is read. */
export function countBody(response: Response, share: BodyShare): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const length = headers.has("content-encoding") ? Number.NaN : Number(headers.get("content-length") ?? Number.NaN);
  // HTTP holds a server to the length that it names. A stream more would cost as much as reading the usual short answer.
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
