import t from 'tap';
import {
  type Draft,
  deleteDraft,
  draftKey,
  readDraft,
  startOf,
  storeDraft,
} from '../../../../web/features/publishing/draft.ts';
import { editable, fullValues, textStorage } from './support.ts';

const KEY = draftKey(7, undefined);

function draft(changes: Partial<Draft> = {}): Draft {
  return {
    saved_at: 1_800_000_000_000,
    values: fullValues({ name: { 'ja-JP': 'フレーム' } }),
    filled: [{ field: 'name', language: 'ja-JP', before: '', value: 'フレーム' }],
    file_names: ['code.json'],
    based_on: null,
    brings_version: true,
    ...changes,
  };
}

t.test('a draft is stored per user and plugin, and restored unchanged', async (t) => {
  const storage = textStorage();
  t.equal(storeDraft(storage, KEY, draft()), true);
  t.strictSame(readDraft(storage, KEY), draft());
  t.equal(readDraft(storage, draftKey(8, undefined)), undefined);
  t.equal(readDraft(storage, draftKey(7, 'some-plugin-key')), undefined);
  deleteDraft(storage, KEY);
  t.equal(readDraft(storage, KEY), undefined);
});

t.test('a browser without storage space reports that the draft is not stored', async (t) => {
  t.equal(storeDraft(textStorage(true), KEY, draft()), false);
});

t.test('invalid stored data does no harm', async (t) => {
  const storage = textStorage();
  for (const text of ['', '{', 'null', '[]', '{"saved_at":"x","values":{}}', '{"saved_at":1}']) {
    storage.setItem(KEY, text);
    t.equal(readDraft(storage, KEY), undefined, text);
  }
  storage.setItem(
    KEY,
    JSON.stringify({
      saved_at: 1,
      values: {
        default_lang: 'xx',
        name: { 'en-US': 5, de: 'Zähler' },
        tags: ['a', 1],
        contact: {},
        version_kind: 'y',
      },
      file_names: 'x',
    }),
  );
  const restored = readDraft(storage, KEY);
  t.hasStrict(restored, { file_names: [], based_on: null, brings_version: false });
  t.hasStrict(restored?.values, { default_lang: 'en-US', tags: ['a'], contact: '', version_kind: 'new' });
  t.strictSame(restored?.values.name, {});
});

t.test('a form starts with its draft if that is based on the current submission', async (t) => {
  const language = 'en-US';
  const fresh = startOf({ plugin: undefined, startsWithVersion: false, language, draft: undefined });
  t.hasStrict(fresh, { hasVersion: true, draft: undefined, original: undefined });
  const back = startOf({ plugin: undefined, startsWithVersion: false, language, draft: draft() });
  t.strictSame(back.values, draft().values);
  t.equal(back.draft?.isOlder, false);

  const plugin = editable();
  const edit = startOf({ plugin, startsWithVersion: false, language, draft: undefined });
  t.hasStrict(edit, { hasVersion: false, values: { version: '1.2.0', contact: 'help@example.com' } });
  const version = startOf({ plugin, startsWithVersion: true, language, draft: undefined });
  t.hasStrict(version.values, { version: '1.3.0', version_kind: 'new' });
  t.strictSame(version.values.version_note, {}, 'the note of another version is removed');

  const mine = draft({ based_on: 7, brings_version: true });
  const taken = startOf({ plugin, startsWithVersion: false, language, draft: mine });
  t.equal(taken.hasVersion, true);
  t.strictSame(taken.values, mine.values);
  const older = startOf({ plugin, startsWithVersion: false, language, draft: draft({ based_on: 6 }) });
  t.equal(older.draft?.isOlder, true);
  t.strictSame(older.values, edit.values, 'an older draft is not restored automatically');
});
