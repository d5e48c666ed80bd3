import fc from 'fast-check';
import t from 'tap';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { contract } from '../../shared/contract.ts';
import { cappedTotal } from '../../shared/paging.ts';
import type { Route } from '../../shared/route.ts';
import { pluginRoutes } from '../../shared/routes/plugin.ts';
import { siteRoutes } from '../../shared/routes/site.ts';
import { shapeOf } from '../../shared/shape.ts';
import { tolerant } from '../../shared/tolerant.ts';

t.test('contract', async (t) => {
  const routes: [string, Route][] = Object.entries(contract);

  /** Method and path of every marketplace call (R 14.7 to 14.36). */
  const SPECIFIED = [
    'GET /api/cmt/manager/verify',
    'GET /api/cmt/plugin/list',
    'GET /api/cmt/plugin/tag/list',
    'GET /api/cmt/plugin',
    'GET /api/cmt/plugin/recommendation/list',
    'POST /api/cmt/plugin/user',
    'GET /api/cmt/plugin/audit',
    'DELETE /api/cmt/plugin/user',
    'POST /api/cmt/plugin/user/praise',
    'POST /api/cmt/plugin/view',
    'POST /api/cmt/plugin',
    'PUT /api/cmt/plugin',
    'DELETE /api/cmt/plugin',
    'GET /api/cmt/plugin/audit/list',
    'POST /api/cmt/plugin/audit/status',
    'POST /api/cmt/plugin/recommendation/publish',
    'PUT /api/cmt/plugin/silent_install',
    'POST /api/cmt/plugin/user/new/silent',
    'GET /api/cmt/manager/plugin/{key}/download',
    'POST /api/cmt/manager/plugins/upload',
    'POST /api/cmt/plugin/resource_state',
    'PUT /api/cmt/plugin/resource_state/disable',
    'GET /api/cmt/plugin/resource_state/list',
    'GET /api/cmt/plugin-banner/all',
    'PUT /api/cmt/manager/plugin-banner',
    'DELETE /api/cmt/manager/plugin-banner',
    'GET /api/cmt/manager/qr-code/list',
    'GET /api/cmt/manager/space-setting/iconfont',
    'PUT /api/cmt/manager/space-setting/iconfont',
    'GET /api/cmt/srv/config/pexels',
    'POST /api/cmt/srv/config/pexels',
    'GET /api/cmt/activity/activity/info',
  ];

  t.test('every required call is in the contract', async (t) => {
    const written = new Set(routes.map(([, route]) => `${route.method} ${route.path}`));
    t.strictSame(
      SPECIFIED.filter((call) => !written.has(call)),
      [],
    );
    t.equal(written.size, routes.length, 'no method and path twice');
  });

  t.test('path parameters are described', async (t) => {
    for (const [name, route] of routes) {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      t.strictSame(Object.keys(route.params?.properties ?? {}), inPath, name);
    }
  });

  t.test('only public reads may be cached for all users', async (t) => {
    for (const [name, route] of routes.filter(([, route]) => route.cache !== undefined)) {
      t.equal(route.method, 'GET', name);
      t.equal(route.access, 'all', name);
    }
  });

  t.test('every route returns data or a file', async (t) => {
    for (const [name, route] of routes) t.equal(route.data === undefined, route.file === true, name);
  });
});

t.test('paging', async (t) => {
  const totals: [counted: number, total: number, isEstimated: boolean][] = [
    [0, 0, false],
    [9999, 9999, false],
    [10_000, 10_000, false],
    [10_001, 10_000, true],
  ];
  for (const [counted, total, total_estimated] of totals) {
    t.test(`${counted} counted`, async (t) => {
      t.strictSame(cappedTotal(counted), { total, total_estimated });
    });
  }
});

t.test('responses of other services', async (t) => {
  const PICTURE = { key: 'p', widths: [320] };
  const read = (schema: TSchema, answer: unknown) => tolerant(shapeOf(schema), answer, 'ko-KR');

  /** The types of the contract without their limits, which other services may exceed. */
  function withoutBounds(schema: TSchema): TSchema {
    const bounds = new Set([
      'pattern',
      'format',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'maxItems',
      'minItems',
    ]);
    return JSON.parse(JSON.stringify(schema), (name, value: unknown) =>
      bounds.has(name) ? undefined : value,
    );
  }

  t.test('any response is converted to the types of the contract, or rejected', async (t) => {
    const routes = Object.entries<Route>(contract).filter(([, { data }]) => data);
    t.ok(routes.length > 100);
    for (const [operation, { data = Type.Unknown() }] of routes) {
      const check = Compile(withoutPartial(withoutBounds(data)));
      const shape = shapeOf(data);
      const names = [
        ...new Set([...JSON.stringify(data).matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)),
      ];
      const { tree } = fc.letrec((tie) => ({
        tree: fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom<unknown>(
            null,
            '',
            'text',
            '12',
            0,
            1,
            -1.5,
            1e300,
            true,
            '2026-05-01T10:00:00Z',
            'image',
            'video',
          ),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(fc.constantFrom(...(names.length > 0 ? names : ['a'])), tie('tree'), { maxKeys: 9 }),
        ),
      }));
      const property = fc.property(tree, (answer) => {
        const found = tolerant(shape, answer, 'ko-KR');
        return found === undefined || check.Check(found);
      });
      const { failed, counterexample } = fc.check(property, { numRuns: 200, seed: 18 });
      t.notOk(failed, `${operation}: ${JSON.stringify(counterexample)?.slice(0, 300)}`);
    }
  });

  /** Optional fields, which only the own service always returns. */
  function withoutPartial(schema: TSchema): TSchema {
    return 'x-partial' in schema ? { ...schema, required: [] } : schema;
  }

  t.test('a card with only its key is valid', async (t) => {
    const { data } = pluginRoutes.listPlugins;
    t.strictSame(read(data, { plugin_list: [{ plugin_key: 12_345, is_praise: '1' }] }), {
      total: 1,
      total_estimated: false,
      next_cursor: null,
      plugin_list: [
        {
          plugin_key: '12345',
          is_praise: 1,
          is_installed: false,
          name: '12345',
          intro: '',
          lang: 'ko-KR',
          icon: null,
          cover: null,
          tags: [],
          publisher: { user_id: 0, nick_name: '', avatar_url: '' },
          plugin_mark: '',
          version: '',
          praise_count: 0,
          install_count: 0,
          view_count: 0,
          updated_at: '',
        },
      ],
    });
  });

  t.test('numbers as strings, null for missing values, and times as numbers', async (t) => {
    const { data } = pluginRoutes.listVersions;
    const answer = {
      version_list: [{ version: 2, is_current: 1, note: null, created_at: 1_767_225_600, kind: 'odd' }],
    };
    t.hasStrict(read(data, answer), {
      version_list: [
        {
          version: '2',
          is_current: true,
          note: '',
          created_at: '2026-01-01T00:00:00.000Z',
          kind: 'new',
          audit_status: 2,
        },
      ],
    });
  });

  t.test('one text is that of the default language where there is a text per language', async (t) => {
    const { data } = contract.readEditablePlugin;
    const listing = {
      name: { 'zh-CN': '工具', 'ja-JP': 5 },
      support: 'Write to us',
      intro: '',
      description: 7,
    };
    const edited = (more: object) =>
      read(data, { plugin_key: 'some-plugin', submission_id: 1, listing: { ...listing, ...more } });
    t.hasStrict(edited({ default_lang: 'es-ES' }), { listing: { support: { 'es-ES': 'Write to us' } } });
    t.hasStrict(edited({ default_lang: 'xx' }), { listing: { support: { 'ko-KR': 'Write to us' } } });
    const found = JSON.parse(JSON.stringify(edited({})));
    t.strictSame(
      [found.listing.name, found.listing.intro, found.listing.description],
      [{ 'zh-CN': '工具', 'ja-JP': '5' }, {}, {}],
    );
  });

  t.test('invalid entries are left out one by one, and reported', async (t) => {
    const { data } = siteRoutes.listBanners;
    let dropped = 0;
    const list = [
      null,
      'x',
      { title: 'No number' },
      { id: 2, redirect_url: '/a', picture: PICTURE },
      { redirect_url: '/b' },
    ];
    const found = tolerant(shapeOf(data), { banner_list: list }, 'en-US', () => {
      dropped += 1;
    });
    t.hasStrict(found, {
      banner_list: [{ id: 2, redirect_url: '/a', title: '/a', picture: { key: 'p', widths: [320] } }],
    });
    t.equal(dropped, 4);
  });

  t.test('a bare array is used as the list of the response', async (t) => {
    const { data } = siteRoutes.listBanners;
    t.hasStrict(read(data, [{ id: 2, redirect_url: '/a' }]), { banner_list: [{ id: 2, picture: null }] });
    t.equal(read(pluginRoutes.readPlugin.data, []), undefined, 'where there is one');
  });

  t.test(
    'a list that is missing is empty, one that is none or holds nothing usable is no answer',
    async (t) => {
      const { data } = pluginRoutes.listTags;
      for (const answer of [{}, { tag_list: null }, { tag_list: [] }])
        t.strictSame(read(data, answer), { tag_list: [] });
      for (const answer of [
        { tag_list: 'x' },
        { tag_list: {} },
        { tag_list: [null, { id: 1 }] },
        'x',
        null,
        7,
      ])
        t.equal(read(data, answer), undefined, JSON.stringify(answer));
    },
  );

  t.test('invalid additional data of a response does not invalidate its main object', async (t) => {
    const { data } = pluginRoutes.readPlugin;
    t.hasStrict(
      read(data, { plugin_key: 'p', tags: 'x', media: [null, { kind: 'image' }], languages: ['xx'] }),
      {
        plugin_key: 'p',
        tags: [],
        media: [],
        languages: [],
        allowed_domains: null,
      },
    );
  });

  t.test('the right to publish depends on the role if it is missing', async (t) => {
    const { data } = siteRoutes.verifyUser;
    t.hasStrict(read(data, { role: 2 }), { role: 2, may_publish: true });
    t.hasStrict(read(data, { role: '0' }), { role: 0, may_publish: false });
    t.hasStrict(read(data, { role: 1, may_publish: false }), { role: 1, may_publish: false });
    t.hasStrict(
      read(data, { role: 'chief' }),
      { role: 0, may_publish: false },
      'a role that is none opens nothing',
    );
  });

  t.test('the state of a plugin is derived from the known fields', async (t) => {
    const { data } = pluginRoutes.praisePlugin;
    t.strictSame(read(data, {}), {});
    t.strictSame(read(data, { praise_count: '4', is_praise: 9 }), { praise_count: 4 });
  });

  t.test('only schemas of responses are converted', async (t) => {
    t.throws(() => shapeOf(Type.Object({ a: Type.Null() })), /No shape is known/);
  });
});
