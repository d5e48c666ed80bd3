import { readFileSync } from 'node:fs';

const OPERATIONS = new URL('../../docs/operations.md', import.meta.url);

/** The statements that docs/operations.md gives operators below `<!-- sql: title -->`. */
export function sqlOfDocs(title: string): string {
  const text = readFileSync(OPERATIONS, 'utf8');
  const start = `<!-- sql: ${title} -->\n\`\`\`sql\n`;
  const [, after] = text.split(start);
  const sql = after?.split('```')[0];
  if (!sql) throw new Error(`docs/operations.md has no SQL "${title}"`);
  return sql;
}
