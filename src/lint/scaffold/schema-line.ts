/** The schema of rule files where those have none beside them. */
export const publishedSchema = "https://unpkg.com/txgloss/schemas/rule.schema.json";

/** The first line of a rule file, which tells editors its schema: by default the one of a checkout, seen from a family's folder. */
export function schemaLine(schema = "../../schemas/rule.schema.json"): string {
  return `# yaml-language-server: $schema=${schema}`;
}
