import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

export interface LineStreamOptions {
  headers: Readonly<Record<string, string | readonly string[]>>;
  /** Trailers, announced in the headers. */
  trailers: Readonly<Record<string, () => string>>;
}

/** Status 200, without the framework, at the peer's pace: the next line when those before have left. A disconnect calls `return`. */
export async function sendLines(
  reply: FastifyReply,
  lines: AsyncIterable<{ body: Buffer | string }>,
  { headers, trailers }: LineStreamOptions,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  // HTTP/1.0 has no chunks, no trailers: Node.js throws.
  const isWhole = raw.useChunkedEncodingByDefault === false;
  const head = isWhole ? headers : { ...headers, trailer: Object.keys(trailers).join(", ") };
  try {
    for await (const { body } of lines) {
      if (raw.destroyed) return;
      if (!raw.headersSent) raw.writeHead(200, head as Record<string, string>);
      if (!raw.write(Buffer.concat([Buffer.from(body), newline]))) await drained(raw);
    }
    if (raw.destroyed) return;
    raw.addTrailers(Object.entries(trailers).map(([name, read]): [string, string] => [name, read()]));
    raw.end();
  } catch (mistake) {
    // The peer sees a cut response.
    raw.destroy();
    throw mistake;
  }
}

const newline = Buffer.from("\n");

function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
