/**
 * Programs that run in a page, as text. Each gives a list of mistakes. They run in pages of the tests, where scripts may run; pages of the
 * service have no scripts.
 */

/**
 * Finds visible texts of drawings that overlap, that are on a box that is not theirs, or that are outside, and everything that is wider
 * than the page.
 */
export const findOverlaps = `(() => {
  const bad = [];
  for (const svg of document.querySelectorAll("svg.pic")) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    const texts = [...svg.querySelectorAll("text")].map((t) => ({ text: t.textContent, box: t.getBoundingClientRect(), group: t.parentNode }));
    const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    for (const { text, box } of texts)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) bad.push("outside: " + text);
    texts.forEach((a, i) => {
      for (const b of texts.slice(i + 1)) if (across(a.box, b.box) > 1 && down(a.box, b.box) > 4) bad.push(a.text + " | " + b.text);
    });
    for (const rect of svg.querySelectorAll("rect.box")) {
      const box = rect.getBoundingClientRect();
      for (const t of texts) {
        if (t.group === rect.parentNode ? t.box.left < box.left - 1 || t.box.right > box.right + 1 : across(t.box, box) > 2 && down(t.box, box) > 2)
          bad.push("box: " + t.text);
      }
    }
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) bad.push("wider than the page by " + (scrollWidth - clientWidth));
  return [...new Set(bad)];
})()`;

/** Finds violations with axe-core, which must have been loaded into the page before. */
export const findBarriers = runAxe("{}");

/** The same, but only for the contrast of text and the size of targets, because other colours and widths can change only these. */
export const findPaleText = runAxe('{ runOnly: ["color-contrast", "target-size", "scrollable-region-focusable"] }');

function runAxe(options: string): string {
  return `axe.run(document, { resultTypes: ["violations"], ...${options} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.slice(0, 2).map(({ html }) => id + ": " + html.slice(0, 160))))`;
}
