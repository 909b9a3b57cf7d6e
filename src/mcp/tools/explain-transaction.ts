import type { Answer } from "../../explain/explain.ts";
import { readHashField } from "../../http/explain-request.ts";
import type { Hash } from "../../kernel/hex.ts";
import { andThen } from "../../kernel/maybe-promise.ts";
import type { Explanation } from "../../model/explanation.ts";
import { readTender } from "../../service/caller.ts";
import type { Service } from "../../service/service.ts";
import type { DoorRequest } from "../../service/service-request.ts";
import { explainDefinition } from "../definitions.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { createToolResponder } from "../tool-response.ts";

/** `explain_transaction` does what `POST /explain` does. A remembered answer is given in the same turn. */
export function createExplainTool(service: Service, actionTypes: readonly string[]): Tool {
  const door = service.explanations;
  const respond = createToolResponder(door, (content) => (content as Explanation).summary);
  return {
    definition: explainDefinition(actionTypes),
    call: (call) => andThen(service.ask(door, toServiceRequest(call)), respond),
  };
}

function toServiceRequest({ arguments: given, caller }: ToolCall): DoorRequest<Hash, Answer> {
  return {
    transport: "mcp",
    product: "explain",
    resource: "/mcp",
    caller,
    read(metered) {
      const asked = readHashField(given, "The arguments hold something other than tx_hash.");
      return metered ? { asked, tender: readTender(caller) } : { asked };
    },
    isHeld: () => false,
  };
}
