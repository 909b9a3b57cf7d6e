import { ServiceError } from "../../kernel/error.ts";
import { andThen } from "../../kernel/maybe-promise.ts";
import { readPassTender } from "../../service/caller.ts";
import type { Service } from "../../service/service.ts";
import type { PassRequest } from "../../service/service-request.ts";
import { passDefinition } from "../definitions.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { createToolResponder } from "../tool-response.ts";

/** `buy_pass` does what `POST /pass` does. Without a payment it tells the price. */
export function createPassTool(service: Service): Tool {
  // Nothing but a sale comes of it.
  const respond = createToolResponder({ contentOf: () => ({}) }, (content) => {
    return describePass(content as { call_cap: number; expires_at: string });
  });
  return { definition: passDefinition, call: (call) => andThen(service.sellPass(toServiceRequest(call)), respond) };
}

function toServiceRequest({ arguments: given, caller }: ToolCall): PassRequest {
  return {
    transport: "mcp",
    product: "pass",
    resource: "/mcp#buy_pass",
    caller,
    read() {
      if (Object.keys(given).length > 0) throw new ServiceError("invalid_request", "buy_pass takes no arguments.");
      return readPassTender(caller);
    },
  };
}

function describePass({ call_cap: calls, expires_at: end }: { call_cap: number; expires_at: string }): string {
  return `A pass for ${calls} explanations until ${end}. Put its pass_token into _meta["svc/pass"] of each call of explain_transaction and keep it secret.`;
}
