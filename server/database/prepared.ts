import { createHash } from 'node:crypto';

/**
 * Begins a statement that is planned once for each connection instead of each time. For statements whose best plan does
 * not depend on what is asked, and whose planning takes longer than carrying them out; all others are better off with a
 * plan of their own.
 */
export const PREPARED = '/* prepared */';

/** A statement as pg prepares it: the same text under the same name on every connection. */
export type PreparedQuery = { name: string; text: string; values: unknown[] };

const names = new Map<string, string>();

/** @returns undefined for a statement that does not begin with PREPARED */
export function preparedQuery(sql: string, values: readonly unknown[]): PreparedQuery | undefined {
  if (!sql.trimStart().startsWith(PREPARED)) return undefined;
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('hex').slice(0, 32);
  names.set(sql, name);
  return { name, text: sql, values: [...values] };
}
