import t from 'tap';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import { packagedFields } from '../../../../web/features/publishing/values/packaged-fields.ts';
import { prefilled } from '../../../../web/features/publishing/values/prefill.ts';
import { emptyValues } from '../../../../web/features/publishing/values/publish-values.ts';

const facts = {
  knownTags: [
    { code: 'data', names: ['Data & Charts', '数据与图表'] },
    { code: 'icons', names: ['Icons'] },
  ],
  isVersionFree: true,
};

function read(changes: Partial<ReadPackage> = {}): ReadPackage {
  return {
    name: 'Frame Counter',
    version: '2.1.0',
    external_id: null,
    manifest: {},
    allowed_domains: [],
    permissions: [],
    files: [],
    listing: {},
    icon: null,
    ...changes,
  };
}

t.test('an empty form takes over what the package says', async (t) => {
  const listing = {
    default_lang: 'ja-JP',
    name: { 'ja-JP': 'フレーム', 'en-US': 'Frames' },
    intro: { 'ja-JP': '数える' },
    tags: ['data', 'unheard-of'],
    contact: 'help@example.com',
    copyright: { kind: 'custom', holder: 'Nordlys' },
  } as const;
  const { values, filled } = prefilled(
    emptyValues('en-US'),
    read({ listing: { ...listing, tags: [...listing.tags] } }),
    facts,
  );
  t.match(values, {
    default_lang: 'ja-JP',
    name: listing.name,
    intro: listing.intro,
    tags: ['data'],
    contact: 'help@example.com',
    copyright_kind: 'custom',
    copyright_holder: 'Nordlys',
    version: '2.1.0',
  });
  t.strictSame(filled.sort(), [
    'contact',
    'copyright_holder',
    'copyright_kind',
    'default_lang',
    'intro',
    'name',
    'tags',
    'version',
  ]);
});

t.test('tags are known by code or by a name of any language, each once', async (t) => {
  const { values } = prefilled(
    emptyValues('en-US'),
    read({ listing: { tags: ['数据与图表', 'ICONS', 'data', 'unheard-of'] } }),
    facts,
  );
  t.strictSame(values.tags, ['data', 'icons']);
});

t.test('a bare manifest gives its name, in the language of the form', async (t) => {
  const { values, filled } = prefilled(emptyValues('ko-KR'), read({ version: null }), facts);
  t.strictSame(values.name, { 'ko-KR': 'Frame Counter' });
  t.strictSame(filled, ['name']);
});

t.test('what is written stays as it is, language by language', async (t) => {
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
  const { values, filled } = prefilled(written, read({ listing: { ...listing, tags: ['data'] } }), {
    ...facts,
    isVersionFree: false,
  });
  t.strictSame(values.name, { 'en-US': 'Mine', 'es-ES': 'Contador' });
  t.match(values, { contact: 'me@example.com', tags: ['icons'], default_lang: 'en-US', version: '1.0.0' });
  t.strictSame(filled, ['name']);
});

t.test('a version that is no number is not taken over', async (t) => {
  t.equal(prefilled(emptyValues('en-US'), read({ version: 'latest' }), facts).values.version, '1.0.0');
});

t.test('the fields a package speaks of are known', async (t) => {
  const listing = { name: { 'en-US': 'A' }, support: '', copyright: { kind: 'author', holder: '' } } as const;
  t.strictSame(packagedFields(read({ listing })), ['name', 'support', 'copyright_kind', 'copyright_holder']);
  t.strictSame(packagedFields(read()), []);
});
