import { describe, expect, it } from "vitest";
import { emptyForm, renderPreviewTrouble } from "../../../src/serve/web/preview/preview-form.ts";
import { renderTroublePage } from "../../../src/serve/web/trouble-page.ts";

describe("a page that says what went wrong", () => {
  const page = (retryable: boolean) => renderTroublePage({ code: "no_such_code", message: "So.", retryable });

  it("says that trying again may help only where it may", () => {
    expect(page(true)).toContain("<p>So.</p><p>Trying again later may help.</p><form");
    expect(page(false)).toContain("<h1>That did not work</h1><p>So.</p><form");
    const preview = (retryable: boolean) =>
      renderPreviewTrouble({ title: "No", message: "So.", code: "bad", retryable }, emptyForm);
    expect(preview(false)).toContain('<p class="note">So.</p>');
    expect(preview(true)).toContain('<p class="note">So. Trying again later may help.</p>');
  });

  it("shows at most 200 characters of what was asked for", () => {
    const shown = renderTroublePage({ code: "bad", message: "", retryable: false, query: "q".repeat(201) });
    expect(shown).toContain(`value="${"q".repeat(200)}"`);
  });
});
