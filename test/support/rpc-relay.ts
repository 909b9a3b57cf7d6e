import { createServer } from "node:http";

interface RpcRequest {
  id: unknown;
  method: string;
  params?: unknown[];
}

/** The answer that the relay gives instead of the node. Undefined: the node's own answer. */
export type Meddle = (
  request: { method: string; params: unknown[] },
  ask: () => Promise<object>,
) => Promise<object | undefined> | object | undefined;

/** A relay between the product and a node. A test can make it lose, delay or falsify calls. */
export async function startRelay(target: string) {
  let meddle: Meddle = () => undefined;
  const methods: string[] = [];
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const answer = async (request: RpcRequest): Promise<object> => {
      const ask = async () => {
        const headers = { "content-type": "application/json" };
        const reply = await fetch(target, { method: "POST", headers, body: JSON.stringify(request) });
        return (await reply.json()) as object;
      };
      methods.push(request.method);
      const given = await meddle({ method: request.method, params: request.params ?? [] }, ask);
      return given === undefined ? ask() : { jsonrpc: "2.0", id: request.id, ...given };
    };
    const asked = JSON.parse(text) as RpcRequest | RpcRequest[];
    const body = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    /** Methods that were asked, in order. */
    methods,
    /** What a test does now. */
    meddled: () => meddle,
    meddleWith(next: Meddle | null): void {
      meddle = next ?? (() => undefined);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
