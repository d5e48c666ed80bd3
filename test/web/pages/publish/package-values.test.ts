import t from 'tap';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import {
  filledFields,
  packagedFields,
  readFilled,
  withPackage,
} from '../../../../web/pages/publish/form/package-values.ts';
import { emptyValues, type PublishValues } from '../../../../web/pages/publish/form/values.ts';

const facts = {
  knownTags: [
    { code: 'data', names: ['Data & Charts', '数据与图表'] },
    { code: 'icons', names: ['Icons'] },
  ],
  suggestedVersion: '1.0.0',
};

/** Values with a package applied, and the fields that it filled. */
function prefilled(values: PublishValues, package_: ReadPackage, others = facts) {
  const taken = withPackage({ values, filled: [] }, package_, others);
  return { ...taken, fields: filledFields(taken.values, taken.filled) };
}

function read(changes: Partial<ReadPackage> = {}): ReadPackage {
  return {
    name: 'Frame Counter',
    version: '2.1.0',
    external_id: null,
    manifest: {},
    allowed_domains: [],
    permissions: [],
    hosts: [],
    files: [],
    listing: {},
    icon: null,
    ...changes,
  };
}

t.test('a package fills an empty form', async (t) => {
  const listing = {
    default_lang: 'ja-JP',
    name: { 'ja-JP': 'フレーム', 'en-US': 'Frames' },
    intro: { 'ja-JP': '数える' },
    tags: ['data', 'unheard-of'],
    contact: 'help@example.com',
    copyright: { kind: 'custom', holder: 'Nordlys' },
  } as const;
  const { values, fields } = prefilled(
    emptyValues('en-US'),
    read({ listing: { ...listing, tags: [...listing.tags] } }),
    facts,
  );
  t.hasStrict(values, {
    default_lang: 'ja-JP',
    name: listing.name,
    intro: listing.intro,
    tags: ['data'],
    contact: 'help@example.com',
    copyright_kind: 'custom',
    copyright_holder: 'Nordlys',
    version: '2.1.0',
  });
  t.strictSame(fields.sort(), [
    'contact',
    'copyright_holder',
    'default_lang',
    'intro',
    'name',
    'tags',
    'version',
  ]);
});

t.test('tags match by code or by name in any language, without duplicates', async (t) => {
  const { values } = prefilled(
    emptyValues('en-US'),
    read({ listing: { tags: ['数据与图表', 'ICONS', 'data', 'unheard-of'] } }),
    facts,
  );
  t.strictSame(values.tags, ['data', 'icons']);
});

t.test('a bare manifest fills the name in the language of the form', async (t) => {
  const { values, fields } = prefilled(emptyValues('ko-KR'), read({ version: null }), facts);
  t.strictSame(values.name, { 'ko-KR': 'Frame Counter' });
  t.strictSame(fields, ['name']);
});

t.test('user input is not overwritten, language by language', async (t) => {
  const written = {
    ...emptyValues('en-US'),
    name: { 'en-US': 'Mine' },
    contact: 'me@example.com',
    tags: ['icons'],
  };
  const listing = {
    name: { 'en-US': 'Theirs', 'es-ES': 'Contador' },
    contact: 'they@example.com',
    tags: ['data'],
    default_lang: 'es-ES',
  } as const;
  const { values, fields, differences } = prefilled(
    written,
    read({ listing: { ...listing, tags: ['data'] } }),
    {
      ...facts,
      suggestedVersion: '1.1.0',
    },
  );
  t.strictSame(values.name, { 'en-US': 'Mine', 'es-ES': 'Contador' });
  t.hasStrict(values, {
    contact: 'me@example.com',
    tags: ['icons'],
    default_lang: 'en-US',
    version: '1.0.0',
  });
  t.strictSame(fields, ['name']);
  t.strictSame(
    differences.map(({ field }) => field),
    ['name', 'tags', 'contact', 'version'],
  );
});

t.test('user input that differs from the package is a difference', async (t) => {
  const written = {
    ...emptyValues('en-US'),
    name: { 'en-US': 'Mine' },
    contact: 'me@example.com',
    version: '3.0.0',
  };
  const support = { 'en-US': 'they@example.com', 'ja-JP': 'ご連絡ください' };
  const listing = { name: { 'en-US': 'Theirs' }, contact: 'me@example.com', support };
  const { values, differences } = prefilled(written, read({ listing }));
  t.hasStrict(values, { name: { 'en-US': 'Mine' }, support, version: '3.0.0' });
  t.strictSame(differences, [
    { field: 'name', language: 'en-US', mine: 'Mine', packaged: 'Theirs' },
    { field: 'version', mine: '3.0.0', packaged: '2.1.0' },
  ]);
});

t.test('values of a package are replaced by the next one, user input is not', async (t) => {
  const first = withPackage(
    { values: emptyValues('en-US'), filled: [] },
    read({
      version: '2.1.0',
      listing: {
        name: { 'en-US': 'First', 'ja-JP': '一' },
        intro: { 'en-US': 'The first.' },
        description: { 'en-US': 'Of the first.' },
        tags: ['data'],
        contact: 'first@example.com',
        copyright: { kind: 'custom', holder: 'First & Co' },
      },
    }),
    facts,
  );
  const typed = { ...first.values, intro: { 'en-US': 'My own words.' } };
  const second = withPackage(
    { values: typed, filled: first.filled },
    read({ version: '0.3.0', listing: { name: { 'en-US': 'Second' }, intro: { 'en-US': 'The second.' } } }),
    facts,
  );
  t.strictSame(second.values, {
    ...emptyValues('en-US'),
    name: { 'en-US': 'Second' },
    intro: { 'en-US': 'My own words.' },
    version: '0.3.0',
  });
  t.strictSame(second.differences, [
    { field: 'intro', language: 'en-US', mine: 'My own words.', packaged: 'The second.' },
  ]);
  t.strictSame(filledFields(second.values, second.filled), ['name', 'version']);

  const without = withPackage(second, undefined, facts);
  t.strictSame(without.values, { ...emptyValues('en-US'), intro: { 'en-US': 'My own words.' } });
  t.strictSame(without.differences, []);
});

t.test('a draft stores which fields the package filled, and ignores invalid ones', async (t) => {
  const filled = [
    { field: 'name', language: 'en-US', before: '', value: 'First' },
    { field: 'tags', before: [], value: ['data'] },
  ] as const;
  t.strictSame(readFilled(JSON.parse(JSON.stringify(filled))), filled);
  const broken = [
    null,
    'name',
    { field: 'name', before: '', value: 'no language' },
    { field: 'name', language: 'xx', before: '', value: 'a' },
    { field: '__proto__', before: '', value: 'a' },
    { field: 'tags', before: [1], value: [] },
    { field: 'contact', before: '' },
  ];
  t.strictSame(readFilled(broken), []);
  t.strictSame(readFilled('broken'), []);
});

t.test('an invalid version is not filled in', async (t) => {
  t.equal(prefilled(emptyValues('en-US'), read({ version: 'latest' }), facts).values.version, '1.0.0');
});

t.test('the fields of a package are listed', async (t) => {
  const listing = { name: { 'en-US': 'A' }, support: {}, copyright: { kind: 'author', holder: '' } } as const;
  t.strictSame(packagedFields(read({ listing })), ['name', 'support', 'copyright_kind', 'copyright_holder']);
  t.strictSame(packagedFields(read()), []);
});
