import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { CallerGone } from "../../../src/gather/explain/shared-runs.ts";
import { toServiceError } from "../../../src/serve/service/failure.ts";
import { openServer } from "../../support/server.ts";

const { app, lines } = openServer();
afterAll(() => app.close());

it.each(["/explain", "/explain/batch", "/mcp", "/pass", "/nowhere"])(
  "who leaves within the body of a request to %s is no mistake of ours",
  async (path) => {
    if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as { port: number };
    const accepted = once(app.server, "connection") as Promise<[Socket]>;
    const asked = once(app.server, "request");
    const socket = connect(port, "127.0.0.1");
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"tx_hash":`);
    const [[theirs]] = await Promise.all([accepted, asked]);
    const closed = once(theirs, "close");
    socket.destroy();
    await closed;
    const { explanations } = (await app.inject("/healthz")).json();
    expect(explanations).toEqual({ success: 0, reverted: 0 });
    expect(lines.filter(({ event }) => event === "internal")).toEqual([]);
  },
);

it("a connection of ours that breaks is still a mistake of ours", () => {
  const reset = (more = {}) => toServiceError(Object.assign(new Error("reset"), { code: "ECONNRESET", ...more }));
  expect(reset().code).toBe("internal");
  expect(reset({ statusCode: 502 }).code).toBe("internal");
  expect(reset({ statusCode: 400 }).cause).toBeInstanceOf(CallerGone);
  for (const nothing of [null, undefined, "x"]) expect(toServiceError(nothing).code).toBe("internal");
});
