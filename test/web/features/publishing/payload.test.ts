import t from 'tap';
import { NO_FILES } from '../../../../web/features/publishing/files/files.ts';
import { isUnchanged, publishPayload } from '../../../../web/features/publishing/sending/publish-payload.ts';
import { editState, fullValues, newState, PICTURE } from './support.ts';

const chosen = (file: File) => ({ state: 'chosen', file, url: 'blob:x' }) as const;
const icon = new File(['i'], 'icon.png');

t.test('a new plugin is sent without empty fields', async (t) => {
  const state = newState({ values: fullValues({ contact: '  help@example.com ', tags: ['data'] }) });
  t.strictSame(publishPayload(state), {
    default_lang: 'en-US',
    name: { 'en-US': 'Frame Counter' },
    intro: { 'en-US': 'Counts frames.' },
    description: { 'en-US': 'It counts.' },
    tags: ['data'],
    contact: 'help@example.com',
    copyright_kind: 'author',
    version: '1.0.0',
    version_kind: 'new',
    version_note: { 'en-US': 'First.' },
    code: state.files.code,
  });
});

t.test('fields of the package are always sent as in the form, even when empty', async (t) => {
  const payload = publishPayload(newState({ packaged: ['support', 'tags'] }));
  t.hasStrict(payload, { support: '', tags: [] });
  const edited = publishPayload(editState({ hasVersion: true, packaged: ['intro'] }));
  t.hasStrict(edited, { intro: { 'en-US': 'Counts frames.' } });
  t.notOk('name' in edited);
});

t.test('an edit has only the changed fields', async (t) => {
  t.strictSame(publishPayload(editState()), {});
  t.equal(isUnchanged(editState()), true);
  const values = fullValues({ contact: 'other@example.com', name: { 'en-US': ' Frame Counter ' } });
  t.strictSame(
    publishPayload(editState({ values })),
    { contact: 'other@example.com' },
    'whitespace is no change',
  );
  t.equal(isUnchanged(editState({ values })), false);
  const emptied = fullValues({ intro: { 'en-US': 'Counts frames.', 'ja-JP': '数える' }, support: '' });
  t.strictSame(publishPayload(editState({ values: emptied })), { intro: emptied.intro });
  const custom = fullValues({ copyright_kind: 'custom', copyright_holder: 'Nordlys' });
  t.strictSame(publishPayload(editState({ values: custom })), {
    copyright_kind: 'custom',
    copyright_holder: 'Nordlys',
  });
  const note = fullValues({ version_note: { 'en-US': 'First, mended.' }, version: '9.9.9' });
  t.strictSame(publishPayload(editState({ values: note })), { version_note: note.version_note });
});

t.test('a new version is sent with all its fields', async (t) => {
  const code = new File(['{}'], 'code.json');
  const files = { ...NO_FILES, code };
  t.strictSame(publishPayload(editState({ files, hasVersion: true })), {
    version: '1.0.0',
    version_kind: 'new',
    version_note: { 'en-US': 'First.' },
    code,
  });
  t.strictSame(publishPayload(editState({ files })), {}, 'without a version there is no package');
});

t.test('new pictures are sent, and removed ones deleted', async (t) => {
  const before = { ...NO_FILES, cover: { state: 'stored', picture: PICTURE } as const };
  const original = { values: fullValues(), files: before };
  t.strictSame(publishPayload(editState({ original, files: before })), {});
  t.strictSame(publishPayload(editState({ original, files: NO_FILES })), { remove: ['cover'] });
  t.strictSame(publishPayload(editState({ original, files: { ...before, icon: chosen(icon) } })), { icon });
});

t.test('media are sent as an order of stored and new files', async (t) => {
  const storedMedia = (key: string) => ({ id: key, key, kind: 'image', url: `/${key}` }) as const;
  const one = { id: 'blob:1', file: new File(['1'], '1.png'), kind: 'image', url: 'blob:1' } as const;
  const two = { id: 'blob:2', file: new File(['2'], '2.mp4'), kind: 'video', url: 'blob:2' } as const;
  const original = {
    values: fullValues(),
    files: { ...NO_FILES, media: [storedMedia('a'), storedMedia('b')] },
  };
  const of = (media: typeof NO_FILES.media) =>
    publishPayload(editState({ original, files: { ...NO_FILES, media } }));
  t.strictSame(of([storedMedia('a'), storedMedia('b')]), {});
  t.strictSame(of([storedMedia('b'), storedMedia('a')]), { media_order: [{ key: 'b' }, { key: 'a' }] });
  t.strictSame(of([]), { media_order: [] });
  t.strictSame(of([one, storedMedia('a'), two]), {
    media_order: [{ upload: 0 }, { key: 'a' }, { upload: 1 }],
    media: [one.file, two.file],
  });
});

t.test('a kept or removed icon overrides that of the package', async (t) => {
  const facts = { hasVersion: true, hasIcon: true };
  const storedIcon = { ...NO_FILES, icon: { state: 'stored' as const, picture: PICTURE } };
  const original = { values: fullValues(), files: storedIcon };
  t.hasStrict(publishPayload(editState({ original, files: storedIcon, ...facts })), {
    keep: ['icon'],
    remove: undefined,
  });
  t.hasStrict(publishPayload(newState(facts)), { remove: ['icon'], keep: undefined });
  const without = publishPayload(newState({ hasVersion: true }));
  t.hasStrict(without, { remove: undefined, keep: undefined });
});
