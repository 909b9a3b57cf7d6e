import { createServer } from "node:http";
import type { FacilitatorClient } from "@x402/core/server";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";

export interface FacilitatorRequest {
  path: string;
  authorization: string | undefined;
}

/** How the server answers: what the real facilitator says, or something else. */
export type Answer = (path: string, real: () => Promise<object>) => Promise<{ status: number; body: unknown }>;

/** A facilitator behind HTTP, like the hosted ones. A test can spoil its answers. */
export async function serveFacilitator(client: FacilitatorClient) {
  const requests: FacilitatorRequest[] = [];
  const honest: Answer = async (_path, real) => ({ status: 200, body: await real() });
  let answer = honest;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = String(request.url).split("/").at(-1) as string;
    requests.push({ path: String(request.url), authorization: request.headers.authorization });
    const real = async (): Promise<object> => {
      if (path === "supported") return client.getSupported();
      const { paymentPayload, paymentRequirements } = JSON.parse(text) as {
        paymentPayload: PaymentPayload;
        paymentRequirements: PaymentRequirements;
      };
      return path === "verify"
        ? client.verify(paymentPayload, paymentRequirements)
        : client.settle(paymentPayload, paymentRequirements);
    };
    const { status, body } = await answer(path, real);
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answerWith(next: Answer | null): void {
      answer = next ?? honest;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
