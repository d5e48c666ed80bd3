import t from 'tap';
import type { Listing } from '../../../../shared/entities/plugin.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { LANGUAGES } from '../../../../shared/languages.ts';
import { apiError } from '../../../../web/api/api-error.ts';
import {
  filterOf,
  isNarrowed,
  parametersOf,
  payloadOf,
} from '../../../../web/pages/backstage/filters/list-filter.ts';
import {
  listingFieldOf,
  tabOfFinding,
  textRowOfFinding,
} from '../../../../web/pages/backstage/review/code/finding-place.ts';
import { isLargeFile } from '../../../../web/pages/backstage/review/code/large-file.ts';
import { problemOf } from '../../../../web/pages/backstage/review/decide/decision.ts';
import { lineDifference, wordDifference } from '../../../../web/pages/backstage/review/differences.ts';
import {
  hasPicture,
  isMediaChanged,
  isPictureChanged,
  isTextChanged,
  pictureFields,
  type TextField,
  textFields,
} from '../../../../web/pages/backstage/review/listing/listing-fields.ts';
import {
  isDecidable,
  nextUnclaimed,
  otherReviewer,
  submissionKind,
} from '../../../../web/pages/backstage/review/submission.ts';
import { commandKey } from '../../../../web/ui/command-key.ts';

const ME = 7;
const OTHER = { user_id: 8, nick_name: 'Other', avatar_url: '' };
const PICTURE = { key: 'a'.repeat(64), width: 320, height: 320, widths: [320] };

function item(submission_id: number, differs: Partial<ReviewItem> = {}): ReviewItem {
  return {
    submission_id,
    plugin: {
      plugin_key: `plugin-${submission_id}`,
      is_praise: -1,
      is_installed: false,
      name: 'Plugin',
      intro: '',
      lang: 'en-US',
      icon: null,
      cover: null,
      tags: [],
      publisher: OTHER,
      plugin_mark: '',
      version: '1.0.0',
      praise_count: 0,
      install_count: 0,
      view_count: 0,
      updated_at: '2026-01-01T00:00:00.000Z',
    },
    version: '1.0.0',
    version_kind: 'new',
    brings_version: true,
    is_first: false,
    is_live: false,
    current_version: null,
    is_hidden: false,
    audit_status: 1,
    reason: null,
    findings: [],
    is_recommended: false,
    is_silent: false,
    submitted_at: '2026-01-01T00:00:00.000Z',
    decided_at: null,
    decided_by: null,
    claimed_by: null,
    claimed_until: null,
    is_own: false,
    is_barred: false,
    is_opened: false,
    ...differs,
  };
}

const NAMES = {
  tag_names: { code: 'Code' },
  mark_names: {},
  format_names: { plain: 'Plain text', markdown: 'Markdown' },
  data_names: { account: 'Account', usage: 'Usage', content: 'Content', nothing: 'Nothing' },
};
const LISTING: Listing = {
  default_lang: 'en-US',
  name: { 'en-US': 'Layers', 'zh-CN': '图层' },
  intro: { 'en-US': 'Sorts layers' },
  description: {},
  tags: ['code'],
  contact: 'a@example.com',
  support: { 'zh-CN': '写信给我们' },
  copyright: { kind: 'author', holder: '' },
  plugin_mark: '',
  icon: PICTURE,
  cover: null,
  panel: null,
  media: [],
};

t.test('a filter is stored in the URL, and invalid values filter nothing', (t) => {
  const query = new URLSearchParams('status=passed&tag_id=4&publisher=Lin&keyword=grid');
  const filter = { status: 'passed', tagId: 4, publisher: 'Lin', keyword: 'grid' } as const;
  t.strictSame(filterOf(query, 'all'), filter);
  t.strictSame(payloadOf(filter), { audit_status: 2, tag_id: 4, publisher: 'Lin', keyword: 'grid' });
  const wrong = filterOf(new URLSearchParams('status=nonsense&tag_id=-3'), 'unaudited');
  t.strictSame(wrong, { status: 'unaudited', tagId: 0, publisher: '', keyword: '' });
  t.strictSame(filterOf(new URLSearchParams('tag_id=1.5'), 'all').tagId, 0);
  t.strictSame(payloadOf(wrong), { audit_status: 1 });
  t.equal(isNarrowed(wrong), false);
  t.equal(isNarrowed(filter), true);
  t.strictSame(parametersOf({ tagId: 0, keyword: '' }), { tag_id: '', keyword: '' });
  t.end();
});

t.test('keys are identified by letter on every keyboard layout', (t) => {
  t.equal(commandKey({ key: 'j', code: 'KeyJ' }), 'j');
  t.equal(commandKey({ key: 'A', code: 'KeyA' }), 'a', 'capitals');
  t.equal(commandKey({ key: 'о', code: 'KeyJ' }), 'j', 'a Cyrillic keyboard');
  t.equal(commandKey({ key: 'a', code: 'KeyQ' }), 'a', 'a French keyboard');
  t.equal(commandKey({ key: '?', code: 'Slash' }), '?');
  t.equal(commandKey({ key: 'Enter', code: 'Enter' }), 'Enter');
  t.end();
});

t.test('the kind of a submission, and its reviewer', (t) => {
  t.equal(submissionKind(item(1, { is_first: true })), 'is_new_plugin');
  t.equal(submissionKind(item(1)), 'is_new_version');
  t.equal(submissionKind(item(1, { brings_version: false })), 'is_listing_change');
  t.equal(otherReviewer(item(1), ME), undefined);
  t.equal(otherReviewer(item(1, { claimed_by: { ...OTHER, user_id: ME } }), ME), undefined);
  t.equal(otherReviewer(item(1, { claimed_by: OTHER }), ME), OTHER);
  t.equal(isDecidable(item(1), ME), true);
  t.equal(isDecidable(item(1, { claimed_by: OTHER }), ME), false);
  t.equal(isDecidable(item(1, { audit_status: 2 }), ME), false);
  t.end();
});

t.test('after a decision the next unclaimed submission opens, starting over at the end', (t) => {
  const queue = [item(1), item(2), item(3, { claimed_by: OTHER }), item(4)];
  const next = (id: number, from = queue) => nextUnclaimed(from, id, ME)?.submission_id;
  t.equal(next(1), 2);
  t.equal(next(2), 4);
  t.equal(next(4), 1);
  t.equal(next(99), 1, 'a submission outside the queue');
  t.equal(next(1, [item(1)]), undefined);
  t.end();
});

t.test('texts are compared by word, also without spaces', (t) => {
  t.strictSame(wordDifference('Sorts all layers', 'Sorts your layers fast', 'en-US'), [
    { kind: 'same', text: 'Sorts ' },
    { kind: 'removed', text: 'all' },
    { kind: 'added', text: 'your' },
    { kind: 'same', text: ' layers' },
    { kind: 'added', text: ' fast' },
  ]);
  const chinese = wordDifference('整理图层名称', '整理画板名称', 'zh-CN');
  t.hasStrict(chinese, [{ kind: 'same' }, { kind: 'removed' }, { kind: 'added' }, { kind: 'same' }]);
  t.equal(
    chinese
      .filter(({ kind }) => kind !== 'added')
      .map(({ text }) => text)
      .join(''),
    '整理图层名称',
  );
  t.equal(
    chinese
      .filter(({ kind }) => kind !== 'removed')
      .map(({ text }) => text)
      .join(''),
    '整理画板名称',
  );
  t.strictSame(wordDifference('', '', 'en-US'), []);
  t.strictSame(wordDifference('same', 'same', 'en-US'), [{ kind: 'same', text: 'same' }]);
  const long = Array.from({ length: 2500 }, (_, n) => `w${n}`).join(' ');
  const pieces = wordDifference(long, long.replace('w1200', '𠮷'), 'en-US');
  t.strictSame(
    pieces.filter(({ kind }) => kind !== 'same'),
    [
      { kind: 'removed', text: 'w1200' },
      { kind: 'added', text: '𠮷' },
    ],
  );
  t.end();
});

t.test('programs are compared by line, and inside changed lines', (t) => {
  const before = Array.from({ length: 20_000 }, (_, n) => `const value${n} = ${n};\n`).join('');
  const after = before
    .replace('value7 = 7;', 'value7 = 8;')
    .replace('const value19000 = 19000;\n', '')
    .concat('const last = 1;');
  const changes = lineDifference(before, after);
  const told = changes.map(({ fromA, toA, fromB, toB }) => [
    before.slice(fromA, toA),
    after.slice(fromB, toB),
  ]);
  t.strictSame(told, [
    ['7', '8'],
    ['const value19000 = 19000;\n', ''],
    ['', 'const last = 1;'],
  ]);
  t.strictSame(lineDifference('', ''), []);
  t.strictSame(lineDifference('a\n', 'a\n'), []);
  t.hasStrict(lineDifference('', 'a\nb'), [{ fromA: 0, toA: 0, fromB: 0, toB: 3 }]);
  const many = (mark: string) => Array.from({ length: 60_000 }, (_, n) => `${mark}${n}\n`).join('');
  const [last] = lineDifference(many('x'), many('x').replace('x59999', 'y59999')).slice(-1);
  t.ok(last && last.toB >= many('x').indexOf('x59999') + 1, 'too many distinct lines');
  t.end();
});

t.test('a listing is compared by field and language', (t) => {
  const after: Listing = {
    ...LISTING,
    name: { 'en-US': 'Layers 2' },
    tags: ['code', 'type'],
    icon: { ...PICTURE, key: 'b'.repeat(64) },
    media: [{ kind: 'image', picture: PICTURE }],
  };
  const changed = textFields(LISTING, after, NAMES).filter(isTextChanged);
  t.strictSame(changed, [
    { field: 'name', lang: 'zh-CN', before: '图层', after: '' },
    { field: 'name', lang: 'en-US', before: 'Layers', after: 'Layers 2' },
    { field: 'tags', lang: undefined, before: 'Code', after: 'Code, type' },
  ]);
  t.strictSame(
    pictureFields(LISTING, after)
      .filter(hasPicture)
      .map(({ field }) => field),
    ['icon'],
  );
  t.strictSame(pictureFields(LISTING, after).map(isPictureChanged), [true, false, false]);
  t.equal(isMediaChanged(LISTING.media, after.media), true);
  t.equal(isMediaChanged(LISTING.media, LISTING.media), false);
  t.ok(textFields(undefined, after, NAMES).every(({ before }) => before === undefined));
  t.notOk(textFields(LISTING, LISTING, NAMES).some(isTextChanged));
  t.end();
});

t.test('large and minified files are detected before rendering', (t) => {
  t.equal(isLargeFile({ before: null, after: 'const a = 1;\n'.repeat(100) }), false);
  t.equal(isLargeFile({ before: null, after: 'a'.repeat(5001) }), true, 'one long line');
  t.equal(isLargeFile({ before: 'a;\n'.repeat(100_001), after: null }), true, 'many lines');
  t.equal(isLargeFile({ before: null, after: null }), false);
  t.end();
});

t.test('a failed decision shows its reason', (t) => {
  const reasons = {
    ALREADY_DECIDED: 'problem_decided',
    ALREADY_CLAIMED: 'problem_claimed',
    CONFLICT: 'problem_newer',
    SUBMISSION_NOT_FOUND: 'problem_gone',
    PLUGIN_NOT_FOUND: 'problem_gone',
    INTERNAL: 'problem_failed',
  } as const;
  for (const [reason, text] of Object.entries(reasons)) {
    t.hasStrict(
      problemOf(Object.assign(apiError({ status: 409 }), { reason })),
      { text, fields: [] },
      reason,
    );
  }
  t.hasStrict(problemOf(new Error('offline')), { text: 'problem_failed', fields: [] });
  t.end();
});

t.test('missing fields have the same names as in the form', async (t) => {
  const refused = (pointers: string[]) =>
    problemOf(
      apiError({
        status: 422,
        reason: 'LISTING_INCOMPLETE',
        details: pointers.map((pointer) => ({ pointer, message: 'This is required.' })),
      }),
    );
  const all = ['/name', '/intro', '/description', '/contact', '/version_note', '/copyright_holder'];
  const fields = [
    'field_name',
    'field_intro',
    'field_description',
    'field_contact',
    'field_version_note',
    'field_copyright_holder',
  ] as const;
  t.hasStrict(refused(all), { text: 'problem_incomplete', fields });
  t.hasStrict(refused(['/contact', '/of_a_later_release']), {
    text: 'problem_incomplete',
    fields: ['field_contact'],
  });
  t.hasStrict(refused([]), { text: 'problem_failed', fields: [] });
  for (const language of LANGUAGES) {
    const texts = (await import(`../../../../locales/${language}.json`, { with: { type: 'json' } })).default;
    for (const field of fields)
      t.equal(texts.review[field], texts.publish[field.replace('field_', '')], `${language} ${field}`);
  }
});

t.test('a finding of the listing links to its field and language', (t) => {
  const places = {
    '/name/en-US': { field: 'name', lang: 'en-US' },
    '/name/xx-XX': { field: 'name', lang: undefined },
    '/listing/intro': { field: 'intro', lang: undefined },
    '/12/listing/description/ja-JP': { field: 'description', lang: 'ja-JP' },
    '/listing/versionNote/ru-RU': { field: 'version_note', lang: 'ru-RU' },
    '/version': { field: 'version_note', lang: undefined },
    '/listing/defaultLanguage': { field: 'default_lang', lang: undefined },
    '/tags/3': { field: 'tags', lang: undefined },
    '/listing/copyright': { field: 'copyright', lang: undefined },
    '/copyright_holder': { field: 'copyright', lang: undefined },
    '/plugin_mark': { field: 'mark', lang: undefined },
    '/cover': { field: 'cover', lang: undefined },
    '/media_order/2/key': { field: 'media', lang: undefined },
    '/listing/colour': { field: 'listing', lang: undefined },
    '/listing': { field: 'listing', lang: undefined },
  } as const;
  for (const [pointer, place] of Object.entries(places)) {
    const found = { code: 'X', severity: 'warning' as const, pointer, message: '' };
    t.strictSame(listingFieldOf(found), place, pointer);
    t.equal(tabOfFinding(found), 'listing', pointer);
  }
  for (const pointer of ['', '/0', '/plugin_key', '/manifest/id', '/files/main.js', '/constructor']) {
    const found = { code: 'X', severity: 'warning' as const, pointer, message: '' };
    t.equal(listingFieldOf(found), undefined, pointer);
  }
  const inFile = { code: 'X', severity: 'warning' as const, pointer: '/name', file: 'main.js', message: '' };
  t.equal(listingFieldOf(inFile), undefined, 'a finding in a file belongs to the file');
  t.end();
});

t.test('the row of a field is the one of the language, else the first with text', (t) => {
  const all = textFields(LISTING, { ...LISTING, description: {}, tags: [] }, NAMES);
  const row = (field: TextField['field'], lang?: 'ja-JP' | 'zh-CN') =>
    textRowOfFinding(all, { field, lang }, 'en-US');
  t.hasStrict(row('name', 'zh-CN'), { field: 'name', lang: 'zh-CN', after: '图层' });
  t.hasStrict(row('intro'), { field: 'intro', lang: 'en-US', after: 'Sorts layers' });
  t.hasStrict(
    row('intro', 'ja-JP'),
    { field: 'intro', lang: 'ja-JP', after: '' },
    'what is missing is shown',
  );
  t.hasStrict(row('description'), { field: 'description', lang: 'en-US', after: '' });
  t.hasStrict(row('support'), { field: 'support', lang: 'zh-CN', after: '写信给我们' });
  t.hasStrict(row('tags'), { field: 'tags', after: '' });
  t.end();
});
