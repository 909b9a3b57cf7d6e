import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

export interface LineStreamOptions {
  headers: Readonly<Record<string, string | readonly string[]>>;
  /** Trailers: values that are known only at the end. Their names are announced in the headers. */
  trailers: Readonly<Record<string, () => string>>;
}

/**
 * Sends lines with status 200, bypassing the framework, as fast as the peer reads them: the next line is asked for when the lines before it
 * have left the process. When the peer disconnects, the iterator's `return` is called.
 */
export async function sendLines(
  reply: FastifyReply,
  lines: AsyncIterable<{ body: Buffer | string }>,
  { headers, trailers }: LineStreamOptions,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  // HTTP/1.0, which some proxies use, has no chunks and so no trailers. Node.js throws where they are announced.
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
    // The status was sent already, so the peer sees a response that was cut off.
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
