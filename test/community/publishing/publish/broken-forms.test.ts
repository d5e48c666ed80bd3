import t from 'tap';
import { jpeg, mp4 } from '../../../fixtures/media/files.ts';
import { testCommunity } from '../../../support/community.ts';
import { formOf, jsonFile, type Parts, packageText, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { send, sent, storedState, pass } = publishing(community);
const cover = new File([new Uint8Array(await jpeg())], 'cover.jpg');
const film = new File([new Uint8Array(mp4())], 'film.mp4');
const newer = (text = 'newer();\n') => jsonFile(packageText({}, text));
const { plugin_key } = await sent(pluginForm({ version: '1.2.0', media: cover }));
await pass(plugin_key);
const waiting = await sent(pluginForm({ plugin_key, version: '1.3.0-beta.2+build.7', code: newer() }));
const before = await storedState();

type Fault = [title: string, parts: Parts, status: number, code: string, errors: object[]];
const long = (length: number) => 'x'.repeat(length);
const english = (text: string) => JSON.stringify({ 'en-US': text });
const required = (...pointers: string[]) =>
  pointers.map((pointer) => ({ pointer, code: 'FIELD_REQUIRED', message: 'This is required.' }));
const overLimit = (pointer: string, limit: number) => [
  { pointer, code: 'TEXT_TOO_LONG', params: { limit: String(limit) }, message: `Over ${limit} words` },
];

const NEW: Fault[] = [
  ['no intro', { intro: undefined }, 422, 'LISTING_INVALID', required('/intro')],
  ['an empty intro', { intro: '' }, 422, 'LISTING_INVALID', required('/intro')],
  ['an intro of spaces', { intro: english('  \n ') }, 422, 'LISTING_INVALID', required('/intro')],
  ['an intro without languages', { intro: '{}' }, 422, 'LISTING_INVALID', required('/intro')],
  ['no description', { description: undefined }, 422, 'LISTING_INVALID', required('/description')],
  ['no contact', { contact: undefined }, 422, 'LISTING_INVALID', required('/contact')],
  ['no note', { version_note: undefined }, 422, 'LISTING_INVALID', required('/version_note')],
  ['no package', { code: undefined }, 422, 'LISTING_INVALID', required('/code')],
  [
    'nothing at all',
    {
      ...Object.fromEntries(
        ['default_lang', 'name', 'intro', 'description', 'contact', 'version', 'version_note', 'code'].map(
          (name) => [name, undefined],
        ),
      ),
      support: 'x',
    },
    422,
    'LISTING_INVALID',
    required('/name', '/intro', '/description', '/contact', '/version_note', '/code'),
  ],
  [
    'a name over the limit',
    { name: english(long(65)) },
    422,
    'LISTING_INVALID',
    overLimit('/name/en-US', 64),
  ],
  [
    'a name with a check mark',
    { name: english('Grid ✅') },
    422,
    'LISTING_INVALID',
    [
      {
        pointer: '/name/en-US',
        code: 'NAME_MARK',
        params: { found: '✅' },
        message: 'A name must not hold ✅, which looks like the mark of verified publishers.',
      },
    ],
  ],
  [
    'a name of 65 emoji',
    { name: english('😀'.repeat(65)) },
    422,
    'LISTING_INVALID',
    overLimit('/name/en-US', 64),
  ],
  [
    'an intro over the limit',
    { intro: english(long(121)) },
    422,
    'LISTING_INVALID',
    overLimit('/intro/en-US', 120),
  ],
  [
    'a description over the limit',
    { description: english(long(5001)) },
    422,
    'LISTING_INVALID',
    overLimit('/description/en-US', 5000),
  ],
  [
    'a support text over the limit',
    { support: JSON.stringify({ 'ja-JP': long(5001) }) },
    422,
    'LISTING_INVALID',
    overLimit('/support/ja-JP', 5000),
  ],
  ['a contact over the limit', { contact: long(121) }, 422, 'LISTING_INVALID', overLimit('/contact', 120)],
  [
    'a note over the limit',
    { version_note: english(long(2001)) },
    422,
    'LISTING_INVALID',
    overLimit('/version_note/en-US', 2000),
  ],
  [
    'a plain text over the limit',
    { intro: long(121) },
    422,
    'LISTING_INVALID',
    overLimit('/intro/en-US', 120),
  ],
  [
    'a holder over the limit',
    { copyright_kind: 'custom', copyright_holder: long(121) },
    422,
    'LISTING_INVALID',
    overLimit('/copyright_holder', 120),
  ],
  [
    'no copyright holder',
    { copyright_kind: 'custom' },
    422,
    'LISTING_INVALID',
    required('/copyright_holder'),
  ],
  [
    'six tags',
    { tags: '["a","b","c","d","e","f"]' },
    422,
    'LISTING_INVALID',
    [{ pointer: '/tags', code: 'TOO_MANY_TAGS' }],
  ],
  [
    'a version that is none',
    { version: '1.0' },
    422,
    'LISTING_INVALID',
    [{ pointer: '/version', code: 'VERSION_INVALID' }],
  ],
  [
    'a version with a v',
    { version: 'v1.0.0' },
    422,
    'LISTING_INVALID',
    [{ pointer: '/version', code: 'VERSION_INVALID' }],
  ],
  [
    'a version with leading zeros',
    { version: '01.0.0' },
    422,
    'LISTING_INVALID',
    [{ pointer: '/version', code: 'VERSION_INVALID' }],
  ],
  [
    'a version of 65 characters',
    { version: `1.0.0-${long(59)}` },
    422,
    'LISTING_INVALID',
    [{ pointer: '/version', code: 'VERSION_INVALID' }],
  ],
  [
    'a kind of version that is none',
    { version_kind: 'better' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/version_kind' }],
  ],
  [
    'a copyright that is none',
    { copyright_kind: 'mine' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/copyright_kind' }],
  ],
  [
    'a language that is none',
    { default_lang: 'fr-FR' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/default_lang' }],
  ],
  [
    'a name in another language',
    { name: '{"fr-FR":"Grille"}' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/name/fr-FR' }],
  ],
  [
    'a name that is a number',
    { name: '{"en-US":7}' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/name/en-US' }],
  ],
  [
    'a name with NUL',
    { name: '{"en-US":"a\\u0000b"}' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/name/en-US' }],
  ],
  ['a contact with NUL', { contact: 'a\0b' }, 400, 'VALIDATION_FAILED', [{ pointer: '/contact' }]],
  [
    'half a character',
    { intro: '{"en-US":"\\ud83d"}' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/intro/en-US' }],
  ],
  ['tags that are no list', { tags: 'layout,code' }, 400, 'VALIDATION_FAILED', [{ pointer: '/tags' }]],
  [
    'tags that are numbers',
    { tags: '[1,2]' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/tags/0' }, { pointer: '/tags/1' }],
  ],
  ['something else to remove', { remove: '["code"]' }, 400, 'VALIDATION_FAILED', [{ pointer: '/remove/0' }]],
  [
    'an order that is no list',
    { media_order: '{}' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/media_order' }],
  ],
  [
    'an order of nothing known',
    { media_order: '[{"name":"x"}]' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/media_order/0' }],
  ],
  [
    'an upload beyond the third',
    { media_order: '[{"upload":3}]' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/media_order/0' }],
  ],
  [
    'an upload that did not come',
    { media_order: '[{"upload":1}]', media: cover },
    422,
    'LISTING_INVALID',
    [{ pointer: '/media_order/0/upload', code: 'UPLOAD_MISSING' }],
  ],
  [
    'a picture of another plugin',
    { media_order: `[{"key":"${'0'.repeat(64)}"}]` },
    422,
    'LISTING_INVALID',
    [{ pointer: '/media_order/0/key', code: 'MEDIA_UNKNOWN' }],
  ],
  [
    'a before without its after',
    { media_order: '[{"upload":0,"is_before":true}]', media: cover },
    422,
    'LISTING_INVALID',
    [{ pointer: '/media_order/0/is_before', code: 'COMPARISON_INCOMPLETE' }],
  ],
  [
    'a before of a video',
    { media_order: '[{"upload":0},{"upload":1,"is_before":true}]', media: [film, cover] },
    422,
    'LISTING_INVALID',
    [{ pointer: '/media_order/1/is_before', code: 'COMPARISON_INCOMPLETE' }],
  ],
  ['four pictures', { media: [cover, cover, cover, film] }, 422, 'TOO_MANY_MEDIA', [{ pointer: '/media' }]],
  [
    'two packages',
    { code: [newer(), newer()] },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/code', message: 'is given too often' }],
  ],
  ['two icons', { icon: [cover, cover] }, 400, 'VALIDATION_FAILED', [{ pointer: '/icon' }]],
  [
    'two names',
    { name: ['a', 'b'] },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/name', message: 'is given twice' }],
  ],
  ['a video as an icon', { icon: film }, 415, 'IMAGE_FORMAT', [{ pointer: '/icon' }]],
  ['a package as a cover', { cover: newer() }, 415, 'IMAGE_FORMAT', [{ pointer: '/cover' }]],
  [
    'a picture as a package',
    { code: cover },
    415,
    'CODE_FORMAT',
    [{ code: 'NOT_JSON', message: 'Only Json files are supported' }],
  ],
  ['an unknown field', { audit_status: '2' }, 400, 'VALIDATION_FAILED', [{ pointer: '/audit_status' }]],
  [
    'a publisher other than the caller',
    { publisher_id: '1' },
    400,
    'VALIDATION_FAILED',
    [{ pointer: '/publisher_id' }],
  ],
  ['a base that is no number', { based_on: 'last' }, 400, 'VALIDATION_FAILED', [{ pointer: '/based_on' }]],
  ['a malformed key', { plugin_key: "x' or ''='" }, 400, 'VALIDATION_FAILED', [{ pointer: '/plugin_key' }]],
  ['an unknown key', { plugin_key: 'no-such-plugin' }, 404, 'PLUGIN_NOT_FOUND', []],
  [
    'no new version of an existing plugin',
    { plugin_key, version: undefined, code: newer('other();') },
    422,
    'LISTING_INVALID',
    required('/version'),
  ],
  [
    'the same version',
    { plugin_key, version: '1.2.0', code: newer('other();') },
    409,
    'VERSION_EXISTS',
    [{ pointer: '/version', params: { version: '1.2.0' } }],
  ],
  [
    'a smaller version',
    { plugin_key, version: '1.1.9', code: newer('other();') },
    422,
    'VERSION_NOT_GREATER',
    [{ pointer: '/version', code: 'VERSION_NOT_GREATER' }],
  ],
  [
    'a smaller pre-release',
    { plugin_key, version: '1.3.0-beta.1', code: newer('other();') },
    422,
    'VERSION_NOT_GREATER',
    [{ pointer: '/version' }],
  ],
  [
    'another build alone',
    { plugin_key, version: '1.3.0-beta.2+build.8', code: newer('other();') },
    422,
    'VERSION_NOT_GREATER',
    [{ pointer: '/version' }],
  ],
  [
    'several faults of all kinds',
    {
      name: english(long(65)),
      contact: undefined,
      icon: film,
      media: newer(),
      code: jsonFile('{"manifest":'),
      version: 'one',
    },
    422,
    'PACKAGE_INVALID',
    [
      { code: 'JSON_UNFINISHED', line: 1 },
      { pointer: '/name/en-US' },
      { pointer: '/icon' },
      { pointer: '/media/0' },
    ],
  ],
];

const CHANGES: Fault[] = [
  ['no key', {}, 400, 'VALIDATION_FAILED', [{ pointer: '/plugin_key' }]],
  [
    'a version without a package',
    { plugin_key, version: '2.0.0' },
    422,
    'LISTING_INVALID',
    required('/code'),
  ],
  [
    'a package without a version',
    { plugin_key, code: newer('c();') },
    422,
    'LISTING_INVALID',
    required('/version_note', '/version'),
  ],
  ['an empty name', { plugin_key, name: '{"en-US":""}' }, 422, 'LISTING_INVALID', required('/name')],
  ['an empty contact', { plugin_key, contact: ' ' }, 422, 'LISTING_INVALID', required('/contact')],
  [
    'four pictures and videos in all',
    {
      plugin_key,
      media: [film, newer('x'), cover].map((file, n) => (n === 1 ? new File([file, ' '], 'x') : file)),
    },
    415,
    'IMAGE_FORMAT',
    [{ pointer: '/media/1' }],
  ],
  ['an old base', { plugin_key, contact: 'x@example.com', based_on: '1' }, 409, 'CONFLICT', []],
  [
    'a base that never was',
    { plugin_key, contact: 'x@example.com', based_on: '999999' },
    409,
    'CONFLICT',
    [],
  ],
];

for (const [method, faults] of [
  ['POST', NEW],
  ['PUT', CHANGES],
] as const) {
  for (const [title, parts, status, code, errors] of faults) {
    t.test(`${method}: ${title}`, async (t) => {
      const form = () => (method === 'POST' ? pluginForm(parts) : formOf(parts));
      for (const query of ['?dry_run=1', '']) {
        const answer = await send(form(), { method, query });
        t.equal(answer.status, status, JSON.stringify(answer.json));
        const { errors: found = [], ...json } = answer.json as { code: string; errors?: unknown[] };
        t.equal(json.code, code);
        t.equal(found.length, errors.length, JSON.stringify(found));
        t.match(found, errors);
      }
    });
  }
}

t.test('there are enough cases, and nothing is stored', async (t) => {
  t.ok(NEW.length + CHANGES.length >= 60, String(NEW.length + CHANGES.length));
  t.equal(waiting.audit_status, 1);
  t.strictSame(await storedState(), before);
});
