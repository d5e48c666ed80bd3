import { sql } from 'kysely';
import { ACTIVITY_ID, CAROUSEL_SLIDES } from '../../../../shared/constants.ts';
import type { ManagedActivity, ManagedWork } from '../../../../shared/entities/backstage.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { pictureOf } from '../../catalogue/plugins/card-store.ts';
import type { Db } from '../../schema.ts';

type WorkRow = {
  id: number;
  title: Texts;
  default_lang: Language;
  author: string;
  url: string;
  picture: Picture;
  view_num: number;
  like_num: number;
};

export async function readWorkRows(db: Db): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select id, title, default_lang, author, url, view_num, like_num, ${pictureOf('w.picture_key')} as picture
      from featured_work w where picture_key is not null and not is_hidden
      order by position, id limit ${CAROUSEL_SLIDES}`.execute(db);
  return rows;
}

export type ManagedWorkRow = Omit<ManagedWork, 'is_shown'>;

export async function readManagedWorks(db: Db): Promise<ManagedWorkRow[]> {
  const { rows } = await sql<ManagedWorkRow>`
    select id, title, default_lang, author, url, view_num, like_num, is_hidden,
        ${pictureOf('w.picture_key')} as picture
      from featured_work w order by position, id`.execute(db);
  return rows;
}

export type WorkContent = {
  title: Texts;
  default_lang: Language;
  author: string;
  url: string;
  picture_key: string;
  view_num: number;
  like_num: number;
  is_hidden: boolean;
};

/** Adds a work after the others. @returns its id */
export async function insertWork(trx: Db, work: WorkContent): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into featured_work
        (title, default_lang, author, url, picture_key, view_num, like_num, is_hidden, position)
      select ${JSON.stringify(work.title)}, ${work.default_lang}, ${work.author}, ${work.url}, ${work.picture_key},
          ${work.view_num}, ${work.like_num}, ${work.is_hidden}, coalesce(max(position) + 1, 0)
        from featured_work
      returning id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
}

export async function updateWork(trx: Db, id: number, { title, ...work }: WorkContent): Promise<void> {
  await trx
    .updateTable('featured_work')
    .set({ ...work, title: JSON.stringify(title) })
    .where('id', '=', id)
    .execute();
}

export async function deleteWorkRow(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('featured_work').where('id', '=', id).execute();
}

type ActivityRow = {
  view_num: number;
  participate_num: number;
  tutorial_url: string;
  cover: Picture | null;
};

export async function readActivityRow(db: Db, id: number): Promise<ActivityRow | undefined> {
  const { rows } = await sql<ActivityRow>`
    select view_num, participate_num, tutorial_url, ${pictureOf('a.cover_key')} as cover
      from activity a where id = ${id} and not is_hidden`.execute(db);
  return rows[0];
}

/** Reads the activity card, of which there is one for all pages (R 11.7). */
export async function readManagedActivity(db: Db): Promise<ManagedActivity | undefined> {
  const { rows } = await sql<ManagedActivity>`
    select view_num, participate_num, tutorial_url, is_hidden, ${pictureOf('a.cover_key')} as cover
      from activity a where id = ${ACTIVITY_ID}`.execute(db);
  return rows[0];
}

/** Serializes changes of the activity card. */
export async function lockActivity(trx: Db): Promise<void> {
  await sql`lock table activity in share row exclusive mode`.execute(trx);
}

type ActivityContent = Omit<ManagedActivity, 'cover'> & { cover_key: string | null };

export async function writeActivity(trx: Db, id: number, content: ActivityContent): Promise<void> {
  await trx
    .insertInto('activity')
    .values({ id, ...content })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(content))
    .execute();
}

export async function deleteActivityRow(trx: Db): Promise<void> {
  await trx.deleteFrom('activity').where('id', '=', ACTIVITY_ID).execute();
}
