import t from 'tap';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { startOf } from '../../../../web/pages/publish/form/draft.ts';
import {
  decide,
  differencesIn,
  isVersionFixed,
  problemsIn,
  rebase,
  replaceValues,
  report,
  suggestedIn,
  switchVersion,
  write,
  writeKind,
  writeText,
} from '../../../../web/pages/publish/form/form-state.ts';
import { editable, fullValues } from './support.ts';

const NEW = { plugin: undefined, startsWithVersion: false, language: 'en-US', draft: undefined } as const;

const missing = (pointer: string) => finding('FIELD_REQUIRED', { pointer });

t.test('writing a field solves its problems and no others', async (t) => {
  const wrong = { ...startOf(NEW), reported: [missing('/name/ja-JP'), missing('/contact')] };
  const written = writeText({ ...wrong, language: 'ja-JP' }, 'name', 'フレーム');
  t.strictSame(written.values.name, { 'ja-JP': 'フレーム' });
  t.strictSame(
    written.reported.map(({ pointer }) => pointer),
    ['/contact'],
  );
  t.strictSame(report(written, 'contact').reported, []);
});

t.test('a text over its limit is a problem until it is shorter', async (t) => {
  const long = write(startOf(NEW), { contact: 'x'.repeat(1000) });
  t.strictSame(
    problemsIn(long).map(({ code, pointer }) => `${code} ${pointer}`),
    ['TEXT_TOO_LONG /contact'],
  );
  t.strictSame(problemsIn(write(long, { contact: 'x' })), []);
});

t.test('a suggested number follows the kind of the version, one that was typed stays', async (t) => {
  const form = startOf({ ...NEW, plugin: editable({ last_version: '1.2.0' }), startsWithVersion: true });
  t.equal(form.values.version, '1.3.0');
  t.hasStrict(writeKind(form, 'fixed').values, { version_kind: 'fixed', version: '1.2.1' });
  const typed = writeKind(write(form, { version: '4.0.0' }), 'fixed');
  t.hasStrict(typed.values, { version_kind: 'fixed', version: '4.0.0' });
  t.equal(suggestedIn(typed), '1.2.1');
});

t.test('the version of a plugin is switched on and off without touching its listing', async (t) => {
  const form = write(startOf({ ...NEW, plugin: editable() }), { contact: 'mine@example.com' });
  t.equal(isVersionFixed(form), true, 'an approved version does not change');
  const on = switchVersion(form, true);
  t.hasStrict(on, { includesVersion: true, values: { version: '1.3.0', contact: 'mine@example.com' } });
  t.equal(isVersionFixed(on), false);
  const off = switchVersion(write(on, { version_note: { 'en-US': 'Mine' } }), false);
  t.hasStrict(off.values, {
    version: '1.2.0',
    version_note: { 'en-US': 'First.' },
    contact: 'mine@example.com',
  });
  t.strictSame(off.original?.values.version_note, { 'en-US': 'First.' });
  t.equal(switchVersion(startOf(NEW), false).includesVersion, true, 'a new plugin has one');
});

t.test('the user’s changes move to a newer plugin, and the form can be sent again', async (t) => {
  const form = write(startOf({ ...NEW, plugin: editable() }), { contact: 'mine@example.com' });
  const { listing } = editable();
  const newer = editable({ submission_id: 8, listing: { ...listing, intro: { 'en-US': 'Theirs.' } } });
  const moved = rebase({ ...form, sending: { state: 'conflict' } }, newer);
  t.hasStrict(moved, {
    plugin: { submission_id: 8 },
    sending: { state: 'idle' },
    values: { contact: 'mine@example.com', intro: { 'en-US': 'Theirs.' } },
    original: { values: { contact: 'help@example.com', intro: { 'en-US': 'Theirs.' } } },
  });
});

t.test('a difference ends when it is decided or its field is written', async (t) => {
  const difference = { field: 'contact', mine: 'me@example.com', packaged: 'them@example.com' } as const;
  const values = fullValues({ contact: 'me@example.com' });
  const form = { ...replaceValues(startOf(NEW), { values, filled: [] }), differences: [difference] };
  t.strictSame(differencesIn(form), [difference]);
  t.strictSame(differencesIn(write(form, { contact: 'other@example.com' })), []);
  const mine = decide(form, difference, 'mine');
  t.hasStrict(mine, { differences: [], filled: [], values: { contact: 'me@example.com' } });
  const packaged = decide(form, difference, 'packaged');
  t.hasStrict(packaged, { differences: [], values: { contact: 'them@example.com' } });
  t.strictSame(packaged.filled, [{ field: 'contact', before: 'me@example.com', value: 'them@example.com' }]);
});
