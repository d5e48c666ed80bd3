import t from 'tap';
import { BATCH_BYTES_MAX } from '../../../../shared/constants.ts';
import { checkPackage } from '../../../../shared/package/check-package.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { PackageItem } from '../../../../web/features/packages/package-item.ts';
import { batchPayloadOf, groupsOf } from '../../../../web/pages/publish/batch/batch-groups.ts';
import {
  type BatchRow,
  bytesOf,
  createRow,
  failureOf,
  keyOf,
  targetOf,
  withMatch,
} from '../../../../web/pages/publish/batch/batch-row.ts';
import {
  addRows,
  applyStashedEdits,
  discardStashedEdits,
  EMPTY_BATCH,
  editRow,
  markSending,
  markStopped,
  matchRows,
  recheckRows,
  removeAll,
  removeDone,
  removeRow,
  replaceRow,
  restoreRows,
  setDryRunResults,
  setResults,
  setUnmatched,
  summaryOf,
} from '../../../../web/pages/publish/batch/batch-state.ts';
import {
  editedContent,
  editsOf,
  NO_EDITS,
  packagedContent,
  type RowEdits,
} from '../../../../web/pages/publish/batch/row-edits.ts';
import {
  checkRow,
  findingsOf,
  formProblems,
  isDryRunPending,
  isSendable,
  placedIn,
} from '../../../../web/pages/publish/batch/row-findings.ts';
import { editable } from './support.ts';

const TEXTS = {
  intro: { 'en-US': 'Short' },
  description: { 'en-US': 'Long' },
  contact: 'me@example.com',
  versionNote: { 'en-US': 'New' },
};

/** In place of a version: the package has none. */
const NONE = 'none';

type Written = { name?: unknown; id?: string; version?: unknown; listing?: object; main?: string };

function itemOf({ name = 'Grid', id, version = '1.0.0', listing = TEXTS, main = 'go();' }: Written = {}) {
  const text = JSON.stringify({
    format: 'plugin-package',
    formatVersion: 1,
    manifest: { name, id, main: 'main.js', networkAccess: { allowedDomains: ['none'] } },
    files: { 'main.js': main },
    listing: version === NONE ? listing : { ...listing, version },
  });
  const origin = { line: 1, column: 1, pointer: '/4' };
  const item: PackageItem = {
    file: 0,
    fileName: 'x.json',
    index: 4,
    content: new Blob([text]),
    fingerprint: text,
    origin,
    isCutOff: false,
    ...checkPackage(new TextEncoder().encode(text), { origin }),
  };
  return item;
}

const codes = (row: BatchRow, others: readonly BatchRow[] = [row]): string[] =>
  checkRow(row, others).map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);

const CANDIDATE = { plugin_key: 'key1234567890abc', name: 'Grid', last_version: '2.0.0' };
const MATCH = { plugin_key: CANDIDATE.plugin_key, candidates: [CANDIDATE] };

t.test('a complete row has no findings and can be sent', async (t) => {
  const row = createRow(1, itemOf());
  t.strictSame(codes(row), []);
  t.ok(isSendable(row, [row]));
});

t.test('a name is required and can be typed', async (t) => {
  const row = createRow(1, itemOf({ name: '' }));
  t.strictSame(codes(row), ['error FIELD_EMPTY /4/manifest/name']);
  t.notOk(isSendable(row, [row]));
  t.strictSame(codes({ ...row, name: 'Grid' }), []);
  t.strictSame(codes({ ...row, name: '   ' }), ['error FIELD_EMPTY /4/manifest/name']);
  const long = { ...createRow(1, itemOf()), name: '字'.repeat(65) };
  t.strictSame(codes(long), ['error TEXT_TOO_LONG /4/manifest/name']);
});

t.test('a name has no check mark, unless the plugin has this name already', async (t) => {
  const row = createRow(1, itemOf({ name: 'Grid ✔' }));
  t.strictSame(codes(row), ['error NAME_MARK /4/manifest/name']);
  t.notOk(isSendable(row, [row]));
  t.strictSame(codes({ ...row, name: 'Grid' }), []);
  t.strictSame(codes({ ...row, name: 'Grid ✅' }), ['error NAME_MARK /4/manifest/name']);
  const match = { ...MATCH, candidates: [{ ...CANDIDATE, name: 'Grid ✔' }] };
  t.strictSame(codes({ ...row, match, version: '2.1.0' }), []);
  t.strictSame(codes({ ...row, match: MATCH, version: '2.1.0' }), ['error NAME_MARK /4/manifest/name']);
});

t.test('a version has a default for a new plugin, and is required for an existing one', async (t) => {
  const row = createRow(1, itemOf({ version: NONE }));
  t.equal(row.version, '');
  t.strictSame(codes(row), ['warning VERSION_ASSUMED /4/listing/version']);
  t.strictSame(codes({ ...row, match: MATCH }), ['error FIELD_REQUIRED /4/listing/version']);
  t.strictSame(codes({ ...row, match: MATCH, version: '2.1.0' }), []);
});

t.test('a version is a number, and not lower than the last one', async (t) => {
  const bad = createRow(1, itemOf({ version: 'v1' }));
  t.strictSame(codes(bad), ['error VERSION_INVALID /4/listing/version']);
  t.strictSame(codes({ ...bad, version: '1.x' }), ['error VERSION_INVALID /4/listing/version']);
  t.strictSame(codes({ ...bad, version: '3.0.0' }), []);
  const row = { ...createRow(1, itemOf()), match: MATCH };
  t.strictSame(codes(row), ['error VERSION_NOT_GREATER /4/listing/version']);
  t.strictSame(codes({ ...row, version: '2.0.0' }), [], 'the service decides about the same version');
  t.strictSame(codes({ ...row, chosen: null }), [], 'a new plugin has no previous version');
});

t.test('required fields of a new plugin are requested before sending', async (t) => {
  const row = createRow(1, itemOf({ listing: { intro: TEXTS.intro } }));
  t.strictSame(codes(row), [
    'error FIELD_REQUIRED /4/description',
    'error FIELD_REQUIRED /4/contact',
    'error FIELD_REQUIRED /4/version_note',
  ]);
  t.notOk(isSendable(row, [row]));
  t.strictSame(
    codes({ ...row, match: MATCH, version: '3.0.0' }),
    ['error FIELD_REQUIRED /4/version_note'],
    'a plugin that is there has its texts; a version needs its own',
  );
  const values = { description: { 'ja-JP': '長い' }, contact: 'me', version_note: { 'en-US': 'New' } };
  t.strictSame(codes({ ...row, edits: { values, pictures: {} } }), []);
  const custom = { ...values, copyright_kind: 'custom' as const };
  t.hasStrict(formProblems({ ...row, edits: { values: custom, pictures: {} } }, [row]), [
    { code: 'FIELD_REQUIRED', pointer: '/copyright_holder' },
  ]);
});

t.test('a dry run result is valid until the row changes', async (t) => {
  const row = { ...createRow(1, itemOf()), match: { plugin_key: null, candidates: [] } };
  t.ok(isDryRunPending(row, [row]));
  const missing = finding('FIELD_REQUIRED', { pointer: '/intro' });
  const result = { file: 'x.json', index: 0, ok: false, errors: [missing], warnings: [] };
  const told: BatchRow = { ...row, verdict: { key: keyOf(row), state: 'checked', result } };
  t.notOk(isDryRunPending(told, [told]));
  t.notOk(isSendable(told, [told]));
  t.hasStrict(formProblems(told, [told]), [{ pointer: '/intro' }]);
  const renamed = { ...told, name: 'Other' };
  t.ok(isDryRunPending(renamed, [renamed]), 'it is requested again');
  const failure = { error: undefined, at: 0 };
  const failed: BatchRow = { ...row, verdict: { key: keyOf(row), state: 'failed', failure } };
  t.notOk(isDryRunPending(failed, [failed]));
  t.equal(failureOf(failed), failure, 'it is not shown as ready');
  t.ok(isSendable(failed, [failed]), 'it can be sent anyway');
  t.hasStrict(summaryOf([failed]), { unchecked: 1, waiting: 0 });
  t.equal(failureOf({ ...failed, name: 'Other' }), undefined, 'changed rows are checked again');
});

t.test('a dry run waits for the match, and needs a service that supports it', async (t) => {
  const failure = { error: undefined, at: 0 };
  const asked = addRows(EMPTY_BATCH, [itemOf(), itemOf({ name: 'Two' })]);
  const [first] = asked.rows;
  if (!first) throw new Error('a row is missing');
  t.ok(isDryRunPending(first, [first]));
  const absent: BatchRow = { ...first, unmatched: 'absent' };
  t.notOk(isDryRunPending(absent, [absent]));
  t.equal(failureOf(absent), undefined);
  const known = matchRows(asked, new Map([[1, { plugin_key: null, candidates: [] }]]));
  const failed = setUnmatched(known, [1, 2], failure);
  t.strictSame(failed.rows.map(failureOf), [undefined, failure], 'known matches stay');
  t.strictSame(recheckRows(failed).rows.map(failureOf), [undefined, undefined]);
  t.ok(recheckRows(failed).rows.every((row) => isDryRunPending(row, [row])));
});

t.test('edits are sent with their row, and files with their group', async (t) => {
  const icon = new File(['i'], 'icon.png');
  const shot = new File(['s'], 'shot.png');
  const edits: RowEdits = {
    values: { default_lang: 'en-US', intro: { 'en-US': 'Written' } },
    pictures: { icon: { state: 'chosen', file: icon, url: 'blob:1' }, cover: { state: 'none' } },
    media: [
      { id: 'k', key: 'k', kind: 'image', url: '' },
      { id: 'blob:2', kind: 'image', url: 'blob:2', file: shot },
    ],
  };
  const rows = [
    createRow(1, itemOf()),
    { ...createRow(2, itemOf()), edits },
    { ...createRow(3, itemOf()), edits },
  ];
  const { items, media } = batchPayloadOf(rows);
  const listing = {
    default_lang: 'en-US',
    intro: { 'en-US': 'Written' },
    remove: ['cover'],
    media_order: [{ key: 'k' }, { upload: 0 }],
  };
  t.strictSame(items, [
    { file: 0, index: 0 },
    { file: 1, index: 0, listing, icon: 0, media: [1] },
    { file: 2, index: 0, listing, icon: 2, media: [3] },
  ]);
  t.strictSame(media, [icon, shot, icon, shot]);
  t.equal(rows[1] && bytesOf(rows[1]), itemOf().content.size + 2);
  const state = { rows, nextId: 4, removed: [] };
  const other = editRow(state, 2, { chosen: null }).rows[1];
  t.strictSame(
    other?.edits.media?.map(({ id }) => id),
    ['blob:2'],
    'another plugin has other pictures',
  );
  t.strictSame(other?.edits.values, edits.values);
});

t.test('removed rows are restored in their positions with all edits', async (t) => {
  const edits: RowEdits = {
    values: { intro: { 'en-US': 'Written' } },
    pictures: { icon: { state: 'chosen', file: new File(['i'], 'icon.png'), url: 'blob:1' } },
  };
  let state = addRows(EMPTY_BATCH, [itemOf({ name: 'One' }), itemOf({ name: 'Two' }), itemOf()]);
  state = editRow(state, 2, { edits, version: '5.0.0', chosen: null });
  const before = state.rows;
  const names = () => state.rows.map(({ name }) => name);
  state = removeRow(removeRow(state, 2), 1);
  t.strictSame(names(), ['Grid']);
  state = addRows(restoreRows(state), [itemOf({ name: 'Four' })]);
  t.strictSame(names(), ['One', 'Grid', 'Four'], 'last one first');
  state = restoreRows(state);
  t.strictSame(names(), ['One', 'Two', 'Grid', 'Four']);
  t.strictSame(state.rows.slice(0, 3), before);
  t.strictSame(restoreRows(state), state, 'no further page');

  const [row] = before;
  if (!row) throw new Error('no row');
  const asked = setDryRunResults(state, new Map([[1, { key: keyOf(row), state: 'pending' }]]));
  state = removeAll(asked);
  t.strictSame(names(), []);
  state = restoreRows(state);
  t.equal(state.rows[0]?.verdict, undefined, 'it is checked again');
  t.strictSame(names(), ['One', 'Two', 'Grid', 'Four']);
});

t.test('replacing the file of a row loses no edits', async (t) => {
  const file = new File(['i'], 'icon.png');
  const edits: RowEdits = {
    values: { intro: { 'en-US': 'Written' } },
    pictures: { icon: { state: 'chosen', file, url: 'blob:1' } },
  };
  let state = editRow(addRows(EMPTY_BATCH, [itemOf()]), 1, { edits });
  state = editRow(state, 1, { version: '5.0.0', chosen: null });
  const typed = { edits, version: '5.0.0', chosen: null, name: 'Grid' };
  const same = replaceRow(state, 1, itemOf({ version: '2.0.0' })).rows[0];
  t.match(same, typed, 'edits stay for the same plugin');
  t.strictSame(same?.setAsides, []);

  const other = replaceRow(state, 1, itemOf({ name: 'Else' }));
  t.hasStrict(other.rows[0], { name: 'Else', version: '1.0.0', edits: NO_EDITS, chosen: undefined });
  t.hasStrict(other.rows[0]?.setAsides, [{ name: 'Grid', fields: ['version', 'intro', 'icon'] }]);
  t.match(
    replaceRow(other, 1, itemOf()).rows[0],
    { ...typed, setAsides: [] },
    'its own file restores the edits',
  );
  const [setAside] = other.rows[0]?.setAsides ?? [];
  if (!setAside) throw new Error('nothing was set aside');

  const since = editRow(other, 1, {
    edits: { values: { contact: 'new@example.com', intro: { 'en-US': 'Newer' } }, pictures: {} },
  });
  const used = applyStashedEdits(since, 1, setAside).rows[0];
  t.hasStrict(used, { name: 'Else', version: '5.0.0', chosen: undefined, setAsides: [] });
  t.hasStrict(
    used?.edits.values,
    { contact: 'new@example.com', intro: { 'en-US': 'Newer' } },
    'the newer stays',
  );
  t.hasStrict(used?.edits.pictures, { icon: { file } });
  t.hasStrict(discardStashedEdits(other, 1, setAside).rows[0], { name: 'Else', setAsides: [] });

  const broken = replaceRow(since, 1, { ...itemOf(), package: null, findings: [] });
  t.strictSame(
    broken.rows[0]?.setAsides.map(({ name }) => name),
    ['Grid', 'Else'],
    'a file that is no package loses nothing either',
  );
  t.hasStrict(replaceRow(broken, 1, itemOf({ name: 'Else' })).rows[0], {
    edits: { values: { contact: 'new@example.com' } },
    setAsides: [{ name: 'Grid' }],
  });
  const untouched = replaceRow(addRows(EMPTY_BATCH, [itemOf()]), 1, itemOf({ name: 'Else' })).rows[0];
  t.strictSame(untouched?.setAsides, [], 'nothing was typed');
});

t.test('only differences from the package count as edits', async (t) => {
  const read = itemOf().package;
  if (!read) throw new Error('the package is missing');
  const facts = { plugin: undefined, language: 'en-US' as const, knownTags: [], urlOf: () => 'blob:x' };
  const before = packagedContent(read, facts);
  t.hasStrict(before.values, { name: { 'en-US': 'Grid' }, intro: TEXTS.intro, version: '1.0.0' });
  const now = editedContent(before, NO_EDITS, { name: undefined, version: '1.0.0' });
  t.strictSame(editsOf(now, before), NO_EDITS);
  const written = { ...now, values: { ...now.values, contact: ' you@example.com ', version: '9.0.0' } };
  t.strictSame(editsOf(written, before), {
    values: { contact: 'you@example.com', default_lang: 'en-US' },
    pictures: {},
  });
  const plugin = editable({ last_version: '2.0.0' });
  const version = packagedContent({ ...read, listing: { intro: { 'ja-JP': '短い' } } }, { ...facts, plugin });
  t.hasStrict(version.values, { intro: { 'ja-JP': '短い' }, contact: 'help@example.com', version_note: {} });
  t.hasStrict(version.files, { cover: { state: 'stored' } });
});

t.test('findings that edits cannot fix remain', async (t) => {
  const row = { ...createRow(1, itemOf({ main: 'function (' })), name: 'Other', version: '9.0.0' };
  t.strictSame(codes(row), ['error CODE_SYNTAX /4/files/main.js']);
  t.notOk(isSendable(row, [row]));
});

t.test('a duplicate package is reported at the later row', async (t) => {
  const rows = [createRow(1, itemOf({ id: '7' })), createRow(2, itemOf({ id: '7' }))];
  t.strictSame(
    rows.map((row) => codes(row, rows)),
    [[], ['error DUPLICATE_PACKAGE /4']],
  );
  const others = [createRow(1, itemOf({ id: '7' })), createRow(2, itemOf({ id: '7', name: 'Else' }))];
  t.strictSame(
    others.map((row) => codes(row, others)),
    [[], ['warning DUPLICATE_ID /4/manifest/id']],
  );
});

t.test('an unreadable package is never sent', async (t) => {
  const row = createRow(1, {
    ...itemOf(),
    package: null,
    findings: [finding('NOT_A_PLUGIN', { pointer: '' })],
  });
  t.strictSame(codes(row), ['error NOT_A_PLUGIN ']);
  t.notOk(isSendable(row, [row]));
  t.notOk(isSendable({ ...row, item: { ...row.item, findings: [] } }, []), 'nor truncated packages');
});

t.test('rows are added, edited, replaced and removed', async (t) => {
  let state = addRows(EMPTY_BATCH, [itemOf(), itemOf({ name: 'Two' })]);
  t.strictSame(
    state.rows.map(({ id, name }) => [id, name]),
    [
      [1, 'Grid'],
      [2, 'Two'],
    ],
  );
  state = editRow(state, 2, { name: 'Second', chosen: null });
  t.hasStrict(state.rows[1], { name: 'Second', chosen: null });
  state = replaceRow(state, 1, itemOf({ name: 'One' }));
  t.hasStrict(state.rows[0], { id: 1, name: 'One', match: undefined });
  state = removeRow(state, 1);
  state = addRows(state, [itemOf({ name: 'Three' })]);
  t.strictSame(
    state.rows.map(({ id }) => id),
    [2, 3],
    'a number is never given twice',
  );
});

t.test('results of rows are shown', async (t) => {
  const result = { file: 'x.json', index: 0, errors: [], warnings: [] };
  let state = markSending(addRows(EMPTY_BATCH, [itemOf(), itemOf(), itemOf()]), [1, 2, 3]);
  t.strictSame(
    state.rows.map((row) => row.state.kind),
    ['sending', 'sending', 'sending'],
  );
  const refusal = finding('VERSION_EXISTS', { pointer: '/version' }, { version: '1.0.0' });
  state = setResults(
    state,
    new Map([
      [1, { ...result, ok: true, plugin_key: CANDIDATE.plugin_key }],
      [2, { ...result, ok: false, errors: [refusal] }],
    ]),
  );
  state = markStopped(state);
  t.strictSame(
    state.rows.map((row) => row.state.kind),
    ['done', 'refused', 'unclear'],
  );
  t.hasStrict(summaryOf(state.rows), { rows: 3, done: 1, refused: 1 });
  const [, refused] = state.rows;
  if (!refused) throw new Error('a row is missing');
  t.hasStrict(findingsOf(refused, state.rows), [{ code: 'VERSION_EXISTS', pointer: '/4/version' }]);
  const corrected = editRow(state, 2, { version: '1.0.1' });
  t.equal(corrected.rows[1]?.state.kind, 'ready', 'an edited row counts as never sent');
  t.strictSame(
    removeDone(state).rows.map(({ id }) => id),
    [2, 3],
  );
});

t.test('a row that may have arrived as a new plugin is not sent as a second one', async (t) => {
  const before = { ...createRow(1, itemOf()), match: { plugin_key: null, candidates: [] } };
  const now = { plugin_key: null, candidates: [CANDIDATE] };
  t.equal(targetOf(withMatch({ ...before, state: { kind: 'unclear' } }, now)), CANDIDATE.plugin_key);
  t.equal(targetOf(withMatch(before, now)), null, 'a row that was never sent is unchanged');
  const known = { ...before, match: now, state: { kind: 'unclear' } } as const;
  t.equal(targetOf(withMatch(known, now)), null, 'no plugin was created since');
});

t.test('a batch is summarized before it is sent', async (t) => {
  const rows = [
    createRow(1, itemOf()),
    { ...createRow(2, itemOf({ name: 'Two', version: '3.0.0' })), match: MATCH },
    createRow(3, itemOf({ name: '' })),
  ];
  t.hasStrict(summaryOf(rows), { rows: 3, newPlugins: 1, newVersions: 1, blocked: 1, isTooLarge: false });
  const [first] = rows;
  if (!first) throw new Error('a row is missing');
  const content = Object.defineProperty(new Blob(), 'size', { value: BATCH_BYTES_MAX + 1 });
  t.equal(summaryOf([{ ...first, item: { ...first.item, content } }]).isTooLarge, true);
});

t.test('rows are sent in groups, in their order', async (t) => {
  const many = Array.from({ length: 23 }, (_, place) => createRow(place + 1, itemOf({ name: `P${place}` })));
  t.strictSame(
    groupsOf(many).map((group) => group.length),
    [10, 10, 3],
  );
  t.strictSame(groupsOf(many).flat(), many);
  const heavy = many.slice(0, 3).map((row) => {
    const content = Object.defineProperty(new Blob(), 'size', { value: 15 * 1024 * 1024 });
    return { ...row, item: { ...row.item, content } };
  });
  t.strictSame(
    groupsOf(heavy).map((group) => group.length),
    [1, 1, 1],
  );
  t.strictSame(groupsOf([]), []);
});

t.test('a group has only the user’s edits', async (t) => {
  const untouched = createRow(1, itemOf());
  const matched = { ...createRow(2, itemOf()), match: MATCH };
  const corrected = {
    ...createRow(3, itemOf()),
    match: MATCH,
    chosen: null,
    name: ' New ',
    version: '1.2.0 ',
  };
  const { files, items } = batchPayloadOf([untouched, matched, corrected]);
  t.strictSame(items, [
    { file: 0, index: 0 },
    { file: 1, index: 0, plugin_key: CANDIDATE.plugin_key },
    { file: 2, index: 0, plugin_key: null, name: 'New', version: '1.2.0' },
  ]);
  t.strictSame(
    files.map(({ name, size }) => [name, size]),
    Array(3).fill(['x.json', itemOf().content.size]),
  );
  t.equal(targetOf(untouched), undefined);
});

t.test('a finding of the service is shown at its position in the original file', async (t) => {
  const origin = { line: 40, column: 5, pointer: '/2' };
  const at = { pointer: '/manifest', line: 1, column: 3 };
  t.hasStrict(placedIn(finding('FIELD_REQUIRED', at), origin), {
    pointer: '/2/manifest',
    line: 40,
    column: 7,
  });
  t.hasStrict(placedIn(finding('FIELD_REQUIRED', { ...at, line: 2 }), origin), { line: 41, column: 3 });
  const inFile = { pointer: '/files/main.js', file: 'main.js', line: 9, column: 1 };
  t.hasStrict(placedIn(finding('EVAL_USED', inFile, { found: 'eval' }), origin), { line: 9, column: 1 });
  const nowhere = placedIn(finding('NOT_A_PLUGIN', { pointer: '' }), origin);
  t.equal(nowhere.pointer, '/2');
  t.equal(nowhere.line, undefined);
});
