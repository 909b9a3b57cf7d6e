import type { FastifyRequest } from "fastify";
import { ServiceError } from "../../kernel/error.ts";
import { exampleOf } from "../access/payment/discovery.ts";

/** Not JSON; shows an example for this path. */
export function wrongMediaType({ headers, routeOptions: { url = "" } }: FastifyRequest): ServiceError {
  const wrong =
    headers["content-type"] === undefined
      ? "The Content-Type header is missing."
      : "The Content-Type is not application/json.";
  const example = exampleOf(url);
  const right =
    example === undefined ? "" : ` Send for example: Content-Type: application/json, ${JSON.stringify(example)}`;
  return new ServiceError("unsupported_media_type", `${wrong}${right}`);
}
