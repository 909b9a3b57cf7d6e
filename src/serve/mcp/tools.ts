import type { Viewer } from "../../gather/explain/viewer.ts";
import { ServiceError } from "../../kernel/error.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import { readHashField, readViewFields } from "../http/explain-request.ts";
import type { AnswerKind, Sold } from "../service/answer-kind.ts";
import { readPassTender, readTender } from "../service/caller.ts";
import { createViews } from "../service/mined-answers.ts";
import type { Outcome } from "../service/outcome.ts";
import { type PreviewKind, readPreviewQuestion } from "../service/preview-answers.ts";
import type { Service } from "../service/service.ts";
import type { AnswerRequest, PassRequest } from "../service/service-request.ts";
import { explainDefinition, passDefinition, previewDefinition, viewDefinition } from "./definitions.ts";
import { shortenExplanation } from "./short-explanation.ts";
import type { Tool, ToolCall, ToolDefinition } from "./tool.ts";
import { createToolResponder, type ToolResponse } from "./tool-response.ts";

type Arguments = ToolCall["arguments"];

interface AnswerTool<Asked, T extends Sold> {
  answers: AnswerKind<Asked, T>;
  definition: ToolDefinition;
  resource: ResourcePath;
  /** Throws ServiceError. */
  read(given: Arguments): Asked;
  responder(given: Arguments): (outcome: Outcome<T>) => ToolResponse;
}

function createAnswerTool<Asked, T extends Sold>(service: Service, tool: AnswerTool<Asked, T>): Tool {
  const { answers, definition, resource, read, responder } = tool;
  const toRequest = ({ arguments: given, caller }: ToolCall): AnswerRequest<Asked, T> => ({
    transport: "mcp",
    product: "explain",
    resource,
    caller,
    read(metered) {
      const asked = read(given);
      return metered ? { asked, tender: readTender(caller) } : { asked };
    },
    isHeld: () => false,
  });
  return { definition, call: async (call) => responder(call.arguments)(await service.ask(answers, toRequest(call))) };
}

/** `POST /explain`; short form on request. `appUri`: page for hosts. */
export function createExplainTool(service: Service, actionTypes: readonly string[], appUri: string | undefined): Tool {
  const answers = service.explanations;
  const respond = createToolResponder(answers, summaryOf);
  const respondShortly = createToolResponder(answers, summaryOf, (content) =>
    shortenExplanation(content as Explanation),
  );
  return createAnswerTool(service, {
    ...{ answers, definition: explainDefinition(actionTypes, appUri), resource: "/mcp#explain_transaction" },
    read: (given) => readHashField(withoutDetail(given), "The arguments hold something other than tx_hash and detail."),
    responder: ({ detail }) => (detail === "summary" ? respondShortly : respond),
  });
}

/** `POST /view`. */
export function createViewTool(service: Service, viewer: Viewer, actionTypes: readonly string[]): Tool {
  const answers = createViews(viewer);
  const respond = createToolResponder(answers, summaryOf);
  return createAnswerTool(service, {
    ...{ answers, definition: viewDefinition(actionTypes), resource: "/mcp#view_transaction" },
    read: (given) => readViewFields(given, "The arguments hold something other than tx_hash and account."),
    responder: () => respond,
  });
}

/** `POST /preview`. */
export function createPreviewTool(service: Service, answers: PreviewKind, actionTypes: readonly string[]): Tool {
  const respond = createToolResponder(answers, summaryOf);
  return createAnswerTool(service, {
    ...{ answers, definition: previewDefinition(actionTypes), resource: "/mcp#preview_transaction" },
    read: readPreviewQuestion,
    responder: () => respond,
  });
}

function summaryOf(content: object): string {
  return (content as { summary: string }).summary;
}

/** It changes only the form, not call and price. Throws ServiceError unless summary or full. */
function withoutDetail(given: Arguments): Arguments {
  if (!Object.hasOwn(given, "detail")) return given;
  const { detail, ...rest } = given;
  if (detail !== "summary" && detail !== "full")
    throw new ServiceError("invalid_request", "detail is summary or full.");
  return rest;
}

/** `POST /pass`; without a payment the price. */
export function createPassTool(service: Service): Tool {
  // Only a sale can come of it, never an answer.
  const respond = createToolResponder({ contentOf: () => ({}) }, (content) => {
    const { call_cap: calls, expires_at: end } = content as { call_cap: number; expires_at: string };
    return `A pass for ${calls} explanations until ${end}. Put its pass_token into _meta["svc/pass"] of each call of explain_transaction and keep it secret.`;
  });
  return { definition: passDefinition, call: async (call) => respond(await service.sellPass(toPassRequest(call))) };
}

function toPassRequest({ arguments: given, caller }: ToolCall): PassRequest {
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
