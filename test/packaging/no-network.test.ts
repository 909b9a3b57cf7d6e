import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";

describe("the test process", () => {
  it.each([
    ["fetch by name", () => fetch("https://mainnet.base.org")],
    ["fetch by address", () => fetch("http://192.0.2.1/")],
    ["a socket", async () => connect(443, "example.com")],
    ["a socket with options", async () => connect({ port: 80, host: "192.0.2.1" })],
    ["TLS", async () => connectTls(443, "example.com")],
  ])("cannot leave this machine by %s", async (_name, leave) => {
    const error = await leave().then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(String((error?.cause as Error | undefined) ?? error)).toContain("tests have no network beyond this machine");
  });
});
