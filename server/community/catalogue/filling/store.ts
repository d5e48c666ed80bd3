import { sql } from 'kysely';
import type { Filling } from '../../../../shared/entities/plugin.ts';
import type { Db } from '../../schema.ts';

/** Without a word for this long, what was adding plugins has ended with its process. */
const SILENT_SECONDS = 120;

/** How far the plugins are that are being added, or null, as a column. */
export const fillingColumn = sql<Filling | null>`(
  select value from setting
    where name = 'filling' and updated_at > now() - make_interval(secs => ${SILENT_SECONDS})
)`;

export async function writeFilling(db: Db, filling: Filling): Promise<void> {
  await sql`
    insert into setting (name, value) values ('filling', ${JSON.stringify(filling)})
      on conflict (name) do update set value = excluded.value, updated_at = now()`.execute(db);
}

export async function deleteFilling(db: Db): Promise<void> {
  await db.deleteFrom('setting').where('name', '=', 'filling').execute();
}
