/** The rules of SARIF 2.1.0 (OASIS, sections 3.13 to 3.52) for the parts that we write, as JSON Schema. No other parts are allowed. */
const text = { type: "string", minLength: 1 };
const level = { enum: ["none", "note", "warning", "error"] };
const positive = { type: "integer", minimum: 1 };

function object(properties: Record<string, unknown>, required = Object.keys(properties)) {
  return { type: "object", additionalProperties: false, properties, required };
}

const message = object({ text, markdown: text }, ["text"]);
const location = object(
  {
    id: { type: "integer", minimum: -1 },
    message,
    physicalLocation: object({
      artifactLocation: object({ uri: { ...text, pattern: "^[A-Za-z0-9._~!$&'()*+,;=:@%/-]+$" } }),
      region: object({ startLine: positive, startColumn: positive, endLine: positive, endColumn: positive }),
    }),
  },
  ["physicalLocation"],
);
const descriptor = object({
  id: text,
  shortDescription: message,
  help: message,
  defaultConfiguration: object({ level }),
});
const result = object(
  {
    ruleId: text,
    ruleIndex: { type: "integer", minimum: 0 },
    level,
    message,
    locations: { type: "array", items: location, minItems: 1 },
    relatedLocations: { type: "array", items: location, uniqueItems: true },
    partialFingerprints: { type: "object", additionalProperties: text, minProperties: 1 },
  },
  ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
);

/** A log with one run of one tool. */
export const sarifShape = object({
  $schema: text,
  version: { const: "2.1.0" },
  runs: {
    type: "array",
    minItems: 1,
    items: object({
      tool: object({ driver: object({ name: text, rules: { type: "array", items: descriptor, uniqueItems: true } }) }),
      columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
      results: { type: "array", items: result },
    }),
  },
});
