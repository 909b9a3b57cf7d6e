import Fastify from "fastify";
import { expect, it } from "vitest";
import { acceptsType } from "../../../src/serve/http/accept.ts";
import { addAnswerRoute } from "../../../src/serve/http/answer-route.ts";
import { allowPages } from "../../../src/serve/service/cors.ts";

it.each([
  ["image/svg+xml; charset=utf-8", "image/svg+xml"],
  ["text/html; charset=utf-8", "text/html"],
])("a caller that excludes the type of an answer (%s) is told which one that is", async (contentType, type) => {
  const app = Fastify();
  const read: ((metered: boolean) => unknown)[] = [];
  const service = {
    ask(_answers: unknown, request: { read(metered: boolean): unknown }) {
      read.push(request.read);
      return { kind: "failed", failure: { status: 406, body: {} }, quota: undefined };
    },
  };
  addAnswerRoute(
    app,
    {
      ...({ method: "GET", path: "/a", resource: "/tx", answers: "usual" as never } as const),
      ...{ read: () => "what", asksInBody: false, accepts: acceptsType(type), contentType },
    },
    { service: service as never, ruleset: "r1", pages: allowPages([]) },
  );
  await app.inject({ url: "/a", headers: { accept: "text/plain" } });
  for (const metered of [false, true]) expect(() => read[0]?.(metered)).toThrow(`The Accept header excludes ${type}.`);
});
