import type { ViewAnswer, ViewQuestion } from "../../explain/view-memory.ts";
import type { Viewer } from "../../explain/viewer.ts";
import { readViewFields } from "../../http/explain-request.ts";
import { andThen } from "../../kernel/maybe-promise.ts";
import type { AccountView } from "../../model/told/account-view.ts";
import { readTender } from "../../service/caller.ts";
import type { Service } from "../../service/service.ts";
import type { DoorRequest } from "../../service/service-request.ts";
import { createViewDoor } from "../../service/view-door.ts";
import { viewDefinition } from "../definitions.ts";
import type { Tool, ToolCall } from "../tool.ts";
import { createToolResponder } from "../tool-response.ts";

/** `view_transaction` does what `POST /view` does. */
export function createViewTool(service: Service, viewer: Viewer, actionTypes: readonly string[]): Tool {
  const door = createViewDoor(viewer);
  const respond = createToolResponder(door, (content) => (content as AccountView).summary);
  return {
    definition: viewDefinition(actionTypes),
    call: (call) => andThen(service.ask(door, toServiceRequest(call)), respond),
  };
}

function toServiceRequest({ arguments: given, caller }: ToolCall): DoorRequest<ViewQuestion, ViewAnswer> {
  return {
    transport: "mcp",
    product: "explain",
    resource: "/mcp#view_transaction",
    caller,
    read(metered) {
      const asked = readViewFields(given, "The arguments hold something other than tx_hash and account.");
      return metered ? { asked, tender: readTender(caller) } : { asked };
    },
    isHeld: () => false,
  };
}
