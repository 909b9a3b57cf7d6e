import { type Outcome, toByteText, writeFields } from "./outcome.ts";
import { type Era, serverInfoKey } from "./tool-request.ts";

/** Writes the JSON-RPC answer to a tool's call: the same bytes as the SDK would, without its looking at every field. */
export type WriteResponse = (call: { era: Era; id: string | number }, outcome: Outcome) => string;

/** The text has one character a byte. */
export function createResponseWriter(serverInfo: object): WriteResponse {
  const server = { [serverInfoKey]: serverInfo };
  const complete = ',"resultType":"complete"';
  const completeAndServer = toByteText(`${complete},"_meta":${JSON.stringify(server)}`);

  return ({ era, id }, { result, ready, meta }) => {
    const fields = ready ?? writeFields(result);
    const end = `},"jsonrpc":"2.0","id":${typeof id === "number" ? id : toByteText(JSON.stringify(id))}}`;
    if (meta === undefined) return `{"result":{${fields}${era === "modern" ? completeAndServer : ""}${end}`;
    const told = toByteText(JSON.stringify(era === "modern" ? { ...meta, ...server } : meta));
    return `{"result":{"_meta":${told},${fields}${era === "modern" ? complete : ""}${end}`;
  };
}
