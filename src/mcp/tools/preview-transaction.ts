import { andThen } from "../../kernel/maybe-promise.ts";
import type { Preview } from "../../model/told/preview.ts";
import type { MessageAnswer } from "../../preview/message-preview.ts";
import type { PreviewAnswer } from "../../preview/preview-answer.ts";
import { readTender } from "../../service/caller.ts";
import { type PreviewDoor, type PreviewQuestion, readPreviewQuestion } from "../../service/preview-door.ts";
import type { Service } from "../../service/service.ts";
import type { DoorRequest } from "../../service/service-request.ts";
import { previewDefinition } from "../definitions.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { createToolResponder } from "../tool-response.ts";

/** `preview_transaction` does what `POST /preview` does. */
export function createPreviewTool(service: Service, door: PreviewDoor, actionTypes: readonly string[]): Tool {
  const respond = createToolResponder(door, (content) => (content as Preview).summary);
  return {
    definition: previewDefinition(actionTypes),
    call: (call) => andThen(service.ask(door, toServiceRequest(call)), respond),
  };
}

function toServiceRequest({
  arguments: given,
  caller,
}: ToolCall): DoorRequest<PreviewQuestion, PreviewAnswer | MessageAnswer> {
  return {
    transport: "mcp",
    product: "explain",
    resource: "/mcp#preview_transaction",
    caller,
    read(metered) {
      const asked = readPreviewQuestion(given);
      return metered ? { asked, tender: readTender(caller) } : { asked };
    },
    isHeld: () => false,
  };
}
