import type { Answer } from "../../explain/explain.ts";
import { readHashField } from "../../http/explain-request.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";
import { andThen } from "../../kernel/maybe-promise.ts";
import type { Explanation } from "../../model/explanation.ts";
import { readTender } from "../../service/caller.ts";
import type { Service } from "../../service/service.ts";
import type { DoorRequest } from "../../service/service-request.ts";
import { explainDefinition } from "../definitions.ts";
import { shortenExplanation } from "../short-explanation.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { createToolResponder } from "../tool-response.ts";

/**
 * `explain_transaction` does what `POST /explain` does, and gives the short form of the same answer where that is asked for. A
 * remembered answer is given in the same turn. `appUri`: the page that draws its results, for hosts that show pages.
 */
export function createExplainTool(service: Service, actionTypes: readonly string[], appUri: string | undefined): Tool {
  const door = service.explanations;
  const sentence = (content: object) => (content as Explanation).summary;
  const respond = createToolResponder(door, sentence);
  const respondShortly = createToolResponder(door, sentence, (content) => shortenExplanation(content as Explanation));
  return {
    definition: explainDefinition(actionTypes, appUri),
    call: (call) =>
      andThen(
        service.ask(door, toServiceRequest(call)),
        call.arguments.detail === "summary" ? respondShortly : respond,
      ),
  };
}

function toServiceRequest({ arguments: given, caller }: ToolCall): DoorRequest<Hash, Answer> {
  return {
    transport: "mcp",
    product: "explain",
    resource: "/mcp#explain_transaction",
    caller,
    read(metered) {
      const asked = readHashField(withoutDetail(given), "The arguments hold something other than tx_hash and detail.");
      return metered ? { asked, tender: readTender(caller) } : { asked };
    },
    isHeld: () => false,
  };
}

/** How much is told changes the form of the answer and nothing else: it is the same call of the same door. */
function withoutDetail(given: ToolCall["arguments"]): ToolCall["arguments"] {
  if (!Object.hasOwn(given, "detail")) return given;
  const { detail, ...rest } = given;
  if (detail !== "summary" && detail !== "full")
    throw new ServiceError("invalid_request", "detail is summary or full.");
  return rest;
}
