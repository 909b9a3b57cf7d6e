import { createServer } from "node:http";
import { rolldown } from "rolldown";

/**
 * A page that is a host of MCP Apps. The official client asks the server, and the bridge of the official package talks to the app. The app
 * runs in a frame with its own origin, under a policy as strict as that of MCP Inspector: even images are forbidden.
 */
const program = `
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'none'; connect-src 'none'; form-action 'none'; object-src 'none'; worker-src 'none'";
let client, bridge, frame;

window.openApp = async ({ url, mode, capabilities, width, theme }) => {
  await bridge?.teardownResource({});
  document.body.replaceChildren();
  client = new Client({ name: "host", version: "1" }, { versionNegotiation: { mode }, capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find(({ name }) => name === "explain_transaction"));
  const { contents: [page] } = await client.readResource({ uri });
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.width = width + "px";
  document.body.append(frame);
  bridge = new AppBridge(client, { name: "host", version: "1" }, capabilities, { hostContext: { theme } });
  const sizes = [];
  bridge.onsizechange = ({ height }) => { sizes.push(height); frame.style.height = height + "px"; };
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = page.text.replace("<head>", '<head><meta http-equiv="Content-Security-Policy" content="' + policy + '">');
  await ready;
  window.bridge = bridge;
  window.sizes = sizes;
  return { uri, mimeType: page.mimeType, meta: page._meta, app: bridge.getAppVersion(), shown: bridge.getAppCapabilities() };
};
window.call = async (given) => {
  const result = await client.callTool({ name: "explain_transaction", arguments: given });
  await bridge.sendToolInput({ arguments: given });
  await bridge.sendToolResult(result);
  return result;
};
window.give = (result) => bridge.sendToolResult(result);
window.wear = (theme) => bridge.setHostContext({ theme });
`;

/** Serves the host at an address of its own. */
export async function serveAppHost(): Promise<{ url: string; stop(): Promise<void> }> {
  const name = "app-host.js";
  const bundle = await rolldown({
    input: name,
    platform: "browser",
    plugins: [
      {
        name: "host",
        resolveId: (id) => (id === name ? `${import.meta.dirname}/${name}` : null),
        load: (id) => (id.endsWith(`/${name}`) ? program : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "iife" });
  await bundle.close();
  const script = output[0].code.replaceAll("</script", "<\\/script");
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body><script>${script}</script>`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
