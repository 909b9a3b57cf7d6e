import { describe, expect, it } from "vitest";
import { withoutLinks } from "../../../src/engine/assess/tokens/link-text.ts";

describe("links in foreign text", () => {
  it.each([
    ["see https://a.example/x?y now", "see (link) now"],
    ["www.anything here", "(link) here"],
    ["claim.xyz/path", "(link)"],
    ["a。com", "(link)"],
    ["morpho.finance:443/x", "(link)"],
    ["alice.base.eth", "alice.base.eth"],
    ["1.5 ETH", "1.5 ETH"],
    ["name.company", "name.company"],
    ["xwww.y", "xwww.y"],
  ])("%j is shown as %j", (text, expected) => expect(withoutLinks(text)).toBe(expected));
});
