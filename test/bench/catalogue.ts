import { sql } from 'kysely';
import type { CommunityTables } from '../../server/community/schema.ts';
import { indexPlugins } from '../../server/community/search/index/index-plugins.ts';
import { openKysely, type Pool } from '../../server/database/pool.ts';

const BATCH = 5000;
const TAGS = 10;

/** Words of six languages that plausible names are put together from. */
const WORDS = {
  'zh-CN': ['图标', '色彩', '表格', '字体', '动效', '填充', '导出', '数据', '渐变', '组件', '标注', '切图'],
  'en-US': [
    'Icon',
    'Colour',
    'Table',
    'Type',
    'Motion',
    'Fill',
    'Export',
    'Data',
    'Gradient',
    'Grid',
    'Palette',
    'Chart',
  ],
  'ru-RU': [
    'Иконка',
    'Цвет',
    'Таблица',
    'Шрифт',
    'Движение',
    'Заливка',
    'Экспорт',
    'Данные',
    'Градиент',
    'Сетка',
    'Палитра',
    'График',
  ],
} as const;

/** Fills a migrated, empty community schema with `count` published plugins; the same rows for the same count. */
export async function fillCatalogue(pool: Pool, count: number): Promise<void> {
  const db = openKysely<CommunityTables>(pool);
  await sql`insert into person (user_id, nick_name) values (1, 'Bench')`.execute(db);
  await sql`
    insert into tag (id, code, name, position)
      select n, 'tag' || n, jsonb_build_object('en-US', 'Tag ' || n), n from generate_series(1, ${TAGS}::int) n`.execute(
    db,
  );
  for (let first = 1; first <= count; first += BATCH) {
    await fillBatch(pool, first, Math.min(first + BATCH - 1, count));
  }
  await sql`select set_config('statement_timeout', '0', false)`.execute(db);
  await sql`analyze`.execute(db);
}

async function fillBatch(pool: Pool, first: number, last: number): Promise<void> {
  await openKysely<CommunityTables>(pool)
    .transaction()
    .execute(async (db) => {
      await sql`set constraints all deferred`.execute(db);
      const { rows } = await sql<{ id: number }>`
      insert into plugin (plugin_key, publisher_id, default_lang, audit_status, current_version_id, created_at, updated_at)
        select 'bench' || lpad(n::text, 8, '0'), 1, 'en-US', 2, nextval(pg_get_serial_sequence('plugin_version', 'id')),
          moment, moment
          from generate_series(${first}::int, ${last}::int) n,
            lateral (select timestamptz '2026-01-01' + (n * 7919 % 2600000) * interval '10 seconds' as moment) t
        returning id`.execute(db);
      const ids = rows.map((row) => row.id);
      await sql`
      insert into plugin_version (id, plugin_id, version, audit_status, created_at)
        overriding system value
        select current_version_id, id, '1.0.0', 2, created_at from plugin where id = any (${ids}::bigint[])`.execute(
        db,
      );
      for (const [lang, words] of Object.entries(WORDS)) {
        await sql`
        insert into plugin_text (plugin_id, lang, name, intro, description)
          select id, ${lang}, w[1 + id * 31 % 12] || ' ' || w[1 + id * 17 / 12 % 12] || ' ' || id,
              w[1 + id * 13 % 12] || ' ' || w[1 + id * 11 % 12], repeat(w[1 + id * 3 % 12] || ' ', 20)
            from plugin, lateral (select ${[...words]}::text[] as w) t
            where id = any (${ids}::bigint[])`.execute(db);
      }
      await sql`
      insert into plugin_tag (plugin_id, tag_id, position)
        select id, 1 + (id + k * 3) % ${TAGS}::int, k from unnest(${ids}::bigint[]) id, generate_series(0, 1) k`.execute(
        db,
      );
      await sql`
      update plugin_counter set praise_count = plugin_id * 7907 % 5000, install_count = plugin_id * 6007 % 9000,
          view_count = plugin_id * 104729 % 90000
        where plugin_id = any (${ids}::bigint[])`.execute(db);
      await indexPlugins(db, ids);
    });
}
