import { describe, expect, it } from "vitest";
import { describeServer, legacyRevisions, modernRevision } from "../../../src/serve/mcp/server-card.ts";

describe("the server card", () => {
  it("has the address of the instance, or a place for it", () => {
    const card = (publicUrl?: string) =>
      describeServer({ version: "1.2.3", publicUrl }) as { version: string; remotes: Record<string, unknown>[] };
    const revisions = [modernRevision, ...legacyRevisions];
    const [own] = card("https://x.example").remotes;
    expect(own).toMatchObject({ url: "https://x.example/mcp", supportedProtocolVersions: revisions });
    expect(own).not.toHaveProperty("variables");
    const [open] = card().remotes;
    expect(open?.url).toMatch(/\{\w+\}/);
    expect(open).toHaveProperty("variables");
    expect(card().version).toBe("1.2.3");
  });
});
