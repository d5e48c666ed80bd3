import { sql } from 'kysely';
import t from 'tap';
import { fillDatabase } from '../../../../bench/data/fill.ts';
import { rareWord } from '../../../../bench/data/texts.ts';
import { countProperties } from '../../../../server/community/catalogue/search/facet-store.ts';
import { listFacets } from '../../../../server/community/catalogue/search/facets.ts';
import { filtered, queriesOf } from '../../../../server/community/catalogue/search/filters.ts';
import { foldName, propertyLexeme } from '../../../../server/community/catalogue/search/lexemes.ts';
import { propertiesOf } from '../../../../server/community/catalogue/search/properties.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../../server/community/schema.ts';
import { contract } from '../../../../shared/contract.ts';
import { flushAll, testCommunity } from '../../../support/community.ts';
import { testDatabase } from '../../../support/database.ts';
import { addPlugin, addTag } from '../../add-plugin.ts';
import { ask, dataOf, keysOf } from '../../ask.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-31T12:00:00Z');
/** A publisher with the mark. */
const VERIFIED = 101;
const warning = { code: 'CODE_EVAL', severity: 'warning', pointer: '/main', message: 'eval' } as const;
const notice = { ...warning, severity: 'notice' } as const;

const UPDATED = {
  names: {},
  intros: {},
  descriptions: {},
  version: null,
  is_verified: false,
} as const;

t.test('a span of days finds its first day and no earlier one, on any day of a month', async (t) => {
  for (const day of ['2026-01-01', '2026-02-28', '2026-03-01', '2026-03-31', '2024-02-29', '2026-12-31']) {
    const today = Date.parse(`${day}T23:59:59Z`);
    for (const [updated, days] of [
      ['week', 7],
      ['month', 31],
      ['year', 365],
    ] as const) {
      const query = queriesOf({ updated }, today).join();
      const isFound = (age: number) =>
        propertiesOf({ ...UPDATED, updated_at: new Date(today - age * DAY) }).some((property) =>
          query.includes(`'${propertyLexeme(property)}'`),
        );
      const found = Array.from({ length: 400 }, (_, age) => age).filter(isFound);
      t.strictSame(
        found,
        Array.from({ length: days + 1 }, (_, age) => age),
        `${updated} on ${day}`,
      );
    }
  }
});

t.test('filters of lists', async (t) => {
  const { db, url } = await testCommunity(t, { now: () => NOW });
  const color = await addTag(db, 'color');
  const icon = await addTag(db, 'icon');
  const names = { 'en-US': 'Grid', 'zh-CN': '网格' };
  await addPlugin(db, {
    key: 'reaches-nothing',
    name: names,
    updatedAt: new Date('2026-03-30T23:59:59Z'),
    tags: [color, icon],
    code: {},
    likes: 1,
  });
  await addPlugin(db, {
    key: 'asks-who-uses-it',
    name: { 'en-US': 'Grid two' },
    updatedAt: new Date('2026-03-10'),
    tags: [color],
    code: { permissions: ['currentuser'], hosts: 'pixso >=4.2', findings: [notice, warning] },
    likes: 2,
  });
  await addPlugin(db, {
    key: 'names-a-site',
    publisherId: VERIFIED,
    name: { 'zh-CN': '网格' },
    updatedAt: new Date('2025-06-01'),
    tags: [icon],
    code: { domains: ['https://api.example.com'], hosts: 'figma *; pixso *', findings: [notice] },
    likes: 3,
  });
  await addPlugin(db, {
    key: 'reaches-any-site',
    name: { 'en-US': 'Color grid' },
    updatedAt: new Date('2025-01-01'),
    tags: [color, icon],
    code: { domains: ['*'], hosts: 'figma *' },
    likes: 4,
  });
  await addPlugin(db, {
    key: 'without-package',
    name: { 'en-US': 'Lines' },
    updatedAt: new Date('2026-03-24'),
    likes: 5,
  });
  await addPlugin(db, { key: 'hidden-one', name: names, tags: [color], code: {}, isHidden: true });
  await sql`update person set verified_as = 'example.com' where user_id = ${VERIFIED}`.execute(db);
  await flushAll(db, () => NOW);

  const list = async (query: string) =>
    dataOf(await ask(url, `plugin/list?${query}`), contract.listPlugins.data);

  const filtered: [query: string, keys: string[]][] = [
    ['reach=nothing', ['reaches-nothing']],
    ['reach=offline', ['reaches-nothing', 'asks-who-uses-it']],
    ['reach=named', ['reaches-nothing', 'asks-who-uses-it', 'names-a-site']],
    ['warnings=none', ['reaches-nothing', 'names-a-site', 'reaches-any-site']],
    ['verified=publisher', ['names-a-site']],
    ['verified=publisher&reach=offline', []],
    ['keyword=网格&verified=publisher', ['names-a-site']],
    ['editor=pixso', ['reaches-nothing', 'asks-who-uses-it', 'names-a-site']],
    ['editor=whiteboard', ['reaches-nothing']],
    ['lang=zh-CN', ['reaches-nothing', 'names-a-site']],
    ['lang=ko-KR', []],
    ['updated=week', ['reaches-nothing', 'without-package']],
    ['updated=month', ['reaches-nothing', 'without-package', 'asks-who-uses-it']],
    ['updated=year', ['reaches-nothing', 'without-package', 'asks-who-uses-it', 'names-a-site']],
    [`tags=${color}`, ['reaches-nothing', 'asks-who-uses-it', 'reaches-any-site']],
    [`tags=${color},${icon}`, ['reaches-nothing', 'reaches-any-site']],
    [`tag_id=${color}&tags=${icon}`, ['reaches-nothing', 'reaches-any-site']],
    [`tag_id=${color}&tags=${icon}&warnings=none&reach=offline`, ['reaches-nothing']],
    ['editor=figma&lang=en-US&sort=1', ['reaches-any-site', 'reaches-nothing']],
    ['reach=named&updated=year&sort=1', ['names-a-site', 'asks-who-uses-it', 'reaches-nothing']],
    ['keyword=grid&editor=figma', ['reaches-nothing', 'reaches-any-site']],
    ['keyword=gr&editor=figma', ['reaches-nothing', 'reaches-any-site']],
    [`keyword=co+gr&tag_id=${color}`, ['reaches-any-site', 'asks-who-uses-it', 'reaches-nothing']],
    ['keyword=wangge&editor=figma', ['names-a-site', 'reaches-nothing']],
    ['keyword=grid&editor=figma&sort=1', ['reaches-any-site', 'reaches-nothing']],
    ['keyword=grid&sort=0&updated=year', ['reaches-nothing', 'asks-who-uses-it']],
    [`keyword=网格&tags=${icon}&sort=1`, ['names-a-site', 'reaches-nothing']],
    // Similar words are filtered too; a word that is there is not corrected.
    ['keyword=colour&reach=named', ['asks-who-uses-it', 'reaches-nothing']],
    ['keyword=lnies&updated=week', ['without-package']],
    ['keyword=lines&reach=named', []],
  ];

  for (const [query, keys] of filtered) {
    t.test(`${query} on pages of any size`, async (t) => {
      for (const limit of [1, 2, 100]) {
        const read: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page = await list(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
          t.strictSame([page.total, page.total_estimated], [keys.length, false]);
          read.push(...keysOf(page));
          cursor = page.next_cursor;
        }
        t.strictSame(read, keys);
      }
    });
  }

  t.test('a cursor is bound to the filters', async (t) => {
    const { next_cursor } = await list('reach=named&limit=1');
    for (const other of ['reach=offline', 'reach=named&lang=zh-CN', '']) {
      const answer = await ask(url, `plugin/list?limit=1&cursor=${next_cursor}&${other}`);
      t.equal(answer.status, 400);
      t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
    }
  });

  const refused: [query: string, pointer: string][] = [
    ['reach=everything', '/reach'],
    ['warnings=some', '/warnings'],
    ['verified=1', '/verified'],
    ['editor=Pixso', '/editor'],
    ['lang=fr-FR', '/lang'],
    ['updated=day', '/updated'],
    ['tags=', '/tags'],
    ['tags=1,,2', '/tags'],
    ['tags=1,2,3,4,5,6', '/tags'],
    ['sort=3', '/sort'],
  ];

  for (const [query, pointer] of refused) {
    t.test(`${query} is refused, also for counts`, async (t) => {
      for (const path of pointer === '/sort' ? ['plugin/list'] : ['plugin/list', 'plugin/list/facet']) {
        const answer = await ask(url, `${path}?${query}`);
        t.equal(answer.status, 400);
        t.hasStrict(answer.json, { code: 'VALIDATION_FAILED', errors: [{ pointer }] });
      }
    });
  }

  type Counts = [name: string, without: number, values: Record<string, number>][];
  const facets = async (query: string): Promise<Counts> => {
    const { facet_list } = dataOf(await ask(url, `plugin/list/facet?${query}`), contract.listFacets.data);
    return facet_list.map(({ name, without, value_list }) => [
      name,
      without,
      Object.fromEntries(value_list.map(({ value, count }) => [value, count])),
    ]);
  };

  t.test('each value of a filter with how many plugins there are', async (t) => {
    t.strictSame(await facets(''), [
      ['tags', 5, { [color]: 3, [icon]: 3 }],
      ['reach', 5, { nothing: 1, offline: 2, named: 3 }],
      ['warnings', 5, { none: 3 }],
      ['verified', 5, { publisher: 1 }],
      ['editor', 5, { figma: 3, pixso: 3 }],
      ['lang', 5, { 'en-US': 4, 'zh-CN': 2 }],
      ['updated', 5, { week: 2, month: 3, year: 4 }],
    ]);
  });

  t.test('other filters count, and a filter does not exclude its other values', async (t) => {
    t.strictSame(await facets(`lang=zh-CN&editor=figma`), [
      ['tags', 2, { [icon]: 2, [color]: 1 }],
      ['reach', 2, { nothing: 1, offline: 1, named: 2 }],
      ['warnings', 2, { none: 2 }],
      ['verified', 2, { publisher: 1 }],
      ['editor', 2, { figma: 2, pixso: 2 }],
      ['lang', 3, { 'en-US': 2, 'zh-CN': 2 }],
      ['updated', 2, { week: 1, month: 1, year: 2 }],
    ]);
  });

  t.test('counts of a search within a tag, with a further tag', async (t) => {
    t.strictSame(await facets(`keyword=grid&tag_id=${color}&tags=${icon}`), [
      ['tags', 3, {}],
      ['reach', 2, { nothing: 1, offline: 1, named: 1 }],
      ['warnings', 2, { none: 2 }],
      ['verified', 2, { publisher: 0 }],
      ['editor', 2, { figma: 2 }],
      ['lang', 2, { 'en-US': 2, 'zh-CN': 1 }],
      ['updated', 2, { week: 1, month: 1, year: 1 }],
    ]);
  });

  t.test('without a match it is told which filter to drop', async (t) => {
    const counts = await facets('reach=nothing&editor=figma&updated=week&lang=ko-KR');
    t.strictSame(
      counts.map(([name, without]) => [name, without]),
      [
        ['tags', 0],
        ['reach', 0],
        ['warnings', 0],
        ['verified', 0],
        ['editor', 0],
        ['lang', 1],
        ['updated', 0],
      ],
    );
  });

  t.test(
    'similar words are counted as they are listed, and nothing where nothing can be searched',
    async (t) => {
      t.strictSame((await facets('keyword=lnies'))[6], ['updated', 1, { week: 1, month: 1, year: 1 }]);
      t.strictSame((await facets('keyword=%21%21'))[6], ['updated', 0, { week: 0, month: 0, year: 0 }]);
    },
  );

  t.test('similar words are not counted where only the keyword itself is listed', async (t) => {
    t.equal((await list('keyword=lnies&exact=1')).total, 0);
    t.strictSame((await facets('keyword=lnies&exact=1'))[6], ['updated', 0, { week: 0, month: 0, year: 0 }]);
    t.equal((await list('keyword=lines&exact=1')).total, 1);
    t.strictSame((await facets('keyword=lines&exact=1'))[6], ['updated', 1, { week: 1, month: 1, year: 1 }]);
  });

  t.test('a tag that does not exist', async (t) => {
    for (const path of ['plugin/list?tag_id=9999&reach=named', 'plugin/list/facet?tag_id=9999']) {
      const answer = await ask(url, path);
      t.equal(answer.status, 404);
      t.hasStrict(answer.json, { code: 'TAG_NOT_FOUND' });
    }
  });

  t.test('another published version is what counts', async (t) => {
    const { id } = await db
      .selectFrom('plugin')
      .select('id')
      .where('plugin_key', '=', 'reaches-nothing')
      .executeTakeFirstOrThrow();
    const version = await db
      .insertInto('plugin_version')
      .values({
        plugin_id: id,
        version: '2.0.0',
        audit_status: 2,
        package_manifest: '{}',
        allowed_domains: ['*'],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('plugin').set({ current_version_id: version.id }).where('id', '=', id).execute();
    await flushAll(db, () => NOW);
    t.strictSame(keysOf(await list('reach=named')), ['asks-who-uses-it', 'names-a-site']);
  });
});

t.test('counts of a long list are estimated, those of few matches are exact', async (t) => {
  const { url, db } = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'facets',
  });
  await fillDatabase(url, { count: 6000, waiting: 60 });
  const counts = async (keyword: string) => {
    const facets = await listFacets(db, { tag_id: 0, keyword }, NOW);
    return facets.find(({ name }) => name === 'lang');
  };
  const exact = async (query: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from plugin_search where is_listed and "full" @@ ${query}::tsquery`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  };

  const all = await counts('');
  const written = await exact("'#lang:es-ES'");
  const estimated = all?.value_list.find(({ value }) => value === 'es-ES');
  t.equal(estimated?.is_estimated, true);
  t.ok(Math.abs((estimated?.count ?? 0) - written) < written / 4, `${estimated?.count} of ${written}`);

  const word = rareWord(6000, 'es-ES');
  const found = await exact(`'${foldName(word)}':*`);
  t.ok(found > 0, word);
  const rare = await counts(word);
  t.hasStrict(rare, { without: found, is_estimated: false });
  t.equal(rare?.value_list.find(({ value }) => value === 'es-ES')?.count, found);

  // As in a list of a million: about 10,000 would match.
  const some = queriesOf({ tags: '3', lang: 'ko-KR' }, NOW);
  const among = async (popular: number): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from plugin_search s join (
        select plugin_id from plugin_listing where tag_id = 0 order by popularity desc, plugin_id desc limit ${popular}
      ) l using (plugin_id) where s."full" @@ ${some.join(' & ')}::tsquery`.execute(db);
    return rows[0]?.count ?? 0;
  };
  t.ok((await among(1000)) >= 10 && (await among(1000)) < 25, 'too few of a thousand to estimate by');
  const sought = [undefined, filtered(undefined, some, 0)];
  const [, enough] = await countProperties(db, sought, { tagId: 0, listed: 1_000_000 });
  t.hasStrict(enough, { total: await among(3000), scale: 1_000_000 / 3000 });
  t.equal(enough?.counts.get('#lang:ko-KR'), await among(3000));
  const [tagged = ''] = some;
  const [few] = await countProperties(db, [filtered(undefined, [tagged], 0)], { tagId: 0, listed: 6000 });
  t.hasStrict(few, { total: await exact(tagged), scale: 1 }, 'up to a thousand are counted');

  const filters = { reach: 'nothing', editor: 'pixso', lang: 'ko-KR', tags: '3' } as const;
  const several = await listFacets(db, { tag_id: 0, keyword: 'color', ...filters }, NOW);
  const exactly = several.filter(({ is_estimated }) => !is_estimated);
  t.ok(exactly.length > 3, 'few match, also without one of the filters');
  for (const { name, without } of exactly) {
    const others = queriesOf({ ...filters, [name]: undefined }, NOW);
    t.equal(without, await exact(["'color':*", ...others].join(' & ')), name);
  }
});
