import type { Db } from '../../schema.ts';
import { EXPORTED } from './store.ts';

const ROWS_AT_ONCE = 200;

/** The export as JSON, read as fast as it is taken: memory does not grow with its length. */
export async function* exportText(
  db: Db,
  { userId, account, at }: { userId: number; account: unknown; at: Date },
): AsyncGenerator<string> {
  const head = { format: 'plugin-square-account', format_version: 1, exported_at: at.toISOString(), account };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const [name, read] of Object.entries(EXPORTED)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let between = '\n';
    for (let after = 0; ; ) {
      const rows = await read(db, { userId, after, limit: ROWS_AT_ONCE });
      for (const { said } of rows) {
        yield `${between}    ${JSON.stringify(said)}`;
        between = ',\n';
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_ONCE) break;
      after = last.place;
    }
    yield between === '\n' ? ']' : '\n  ]';
  }
  yield '\n}\n';
}
