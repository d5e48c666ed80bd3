import { sql } from 'kysely';
import { reorderByPopularity } from '../../server/community/popularity/store.ts';
import type { Db } from '../../server/community/schema.ts';
import { indexPlugins } from '../../server/community/search/index/index-plugins.ts';

/** Words of plugins by language; each language has twelve. */
export const WORDS = {
  'en-US': [
    'color',
    'icon',
    'grid',
    'chart',
    'text',
    'layer',
    'motion',
    'export',
    'table',
    'photo',
    'shape',
    'style',
  ],
  'zh-CN': ['颜色', '图标', '网格', '图表', '文字', '图层', '动效', '导出', '表格', '照片', '形状', '样式'],
  'ru-RU': [
    'цвет',
    'иконка',
    'сетка',
    'график',
    'текст',
    'слой',
    'движение',
    'экспорт',
    'таблица',
    'фото',
    'форма',
    'стиль',
  ],
  'ja-JP': [
    '配色',
    'アイコン',
    'グリッド',
    'グラフ',
    '文字',
    'レイヤー',
    '動き',
    '書き出し',
    '表',
    '写真',
    '図形',
    'スタイル',
  ],
};
const EXTRA = 400;
const CHUNK = 2000;
const TAGS = 10;

/**
 * Fills a catalogue with `count` published plugins in the languages of `words`, four by default, and ten tags (5 of 10 to each second plugin):
 * a few words are frequent, most are rare, likes follow a long tail.
 */
export async function addManyPlugins(
  db: Db,
  count: number,
  words: Readonly<Record<string, readonly string[]>> = WORDS,
): Promise<void> {
  await sql`insert into person (user_id, nick_name) select 1000 + n, 'Publisher ' || n from generate_series(0, 99) n
    on conflict do nothing`.execute(db);
  await sql`insert into tag (code, name, position)
    select 'tag-' || n, jsonb_build_object('en-US', 'Tag ' || n, 'zh-CN', '标签' || n), n
      from generate_series(1, ${TAGS}::int) n on conflict do nothing`.execute(db);
  for (let start = 0; start < count; start += CHUNK) {
    await addChunk(db, { start, size: Math.min(CHUNK, count - start), words });
  }
  while ((await reorderByPopularity(db)) > 0);
  await sql`vacuum analyze`.execute(db);
}

async function addChunk(
  db: Db,
  { start, size, words }: { start: number; size: number; words: Readonly<Record<string, readonly string[]>> },
): Promise<void> {
  const made = await sql<{ id: number }>`
    insert into plugin (plugin_key, publisher_id, default_lang, audit_status, updated_at)
      select 'many-' || lpad(n::text, 8, '0'), 1000 + n % 100, 'en-US', 2,
          timestamptz '2024-01-01' + n * interval '1 minute'
        from generate_series(${start}::int, ${start + size - 1}::int) n
      returning id`.execute(db);
  const ids = made.rows.map((row) => row.id);
  const texts = ids.flatMap((plugin_id, index) =>
    textsOf(start + index, words).map((text) => ({ plugin_id, ...text })),
  );
  await sql`insert into plugin_text select * from jsonb_populate_recordset(null::plugin_text,
    ${JSON.stringify(texts)}::jsonb)`.execute(db);
  await sql`
    with made as (
      insert into plugin_version (plugin_id, version, note, audit_status)
        select id, '1.0.0', '{}', 2 from unnest(${ids}::bigint[]) id returning id, plugin_id
    )
    update plugin p set current_version_id = made.id from made where made.plugin_id = p.id`.execute(db);
  await sql`insert into plugin_tag (plugin_id, tag_id, position)
    select p, t.id, t.position from unnest(${ids}::bigint[]) p join tag t on (p + t.position) % 4 = 0
    on conflict do nothing`.execute(db);
  await sql`update plugin_counter set praise_count = (10000 / (1 + (plugin_id * 7919) % 5003))::int,
      view_count = (plugin_id * 31) % 10007 where plugin_id = any (${ids}::bigint[])`.execute(db);
  await indexPlugins(db, ids);
}

function textsOf(n: number, catalogue: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(catalogue).map(([lang, words]) => {
    const word = (step: number) => words[Math.floor(n / step) % words.length] ?? '';
    return {
      lang,
      name: `${word(1)} ${word(12)} ${lang.slice(0, 2)}${n % EXTRA}x${Math.floor(n / EXTRA)}`,
      intro: `${word(5)} ${word(7)} ${word(29)}`,
      description: `${word(3)} ${word(11)} ${word(17)} plugin 插件 плагин プラグイン ${word(53)} `.repeat(3),
    };
  });
}
