import { type Era, serverInfoKey } from "./tool-request.ts";
import { type ToolResponse, toByteText, writeFields } from "./tool-response.ts";

/** Writes the JSON-RPC response to a tool's call. It gives the same bytes as the SDK, which validates every field first. */
export type WriteResponse = (call: { era: Era; id: string | number }, response: ToolResponse) => string;

/** The text has one character per byte. */
export function createResponseWriter(serverInfo: object): WriteResponse {
  const server = { [serverInfoKey]: serverInfo };
  const complete = ',"resultType":"complete"';
  const completeAndServer = toByteText(`${complete},"_meta":${JSON.stringify(server)}`);

  return ({ era, id }, { result, fields: made, meta }) => {
    const fields = made ?? writeFields(result);
    const end = `},"jsonrpc":"2.0","id":${typeof id === "number" ? id : toByteText(JSON.stringify(id))}}`;
    if (meta === undefined) return `{"result":{${fields}${era === "modern" ? completeAndServer : ""}${end}`;
    const told = toByteText(JSON.stringify(era === "modern" ? { ...meta, ...server } : meta));
    return `{"result":{"_meta":${told},${fields}${era === "modern" ? complete : ""}${end}`;
  };
}
