import t from 'tap';
import {
  deleteDraft,
  draftKey,
  readDraft,
  startOf,
  storeDraft,
} from '../../../../web/pages/publish/form/draft.ts';
import {
  chosenFiles,
  type MediaChoice,
  movedMedia,
  NO_FILES,
  shownPicture,
  storedFiles,
  storedMedia,
  storedPicture,
  toggledBefore,
  withoutMedia,
} from '../../../../web/pages/publish/form/files.ts';
import type { Draft } from '../../../../web/pages/publish/form/form-state.ts';
import { isUnchanged, publishPayload } from '../../../../web/pages/publish/form/sending/publish-payload.ts';
import {
  editableValues,
  filledIn,
  isSame,
  LISTING_TEXTS,
  rebased,
  suggestedVersion,
  trimmedTexts,
  withText,
} from '../../../../web/pages/publish/form/values.ts';
import { editable, editState, fullValues, newState, PICTURE, textStorage } from './support.ts';

t.test('values', async (t) => {
  t.test('the suggested version is the next minor or patch', async (t) => {
    t.equal(suggestedVersion(undefined, 'new'), '1.0.0');
    t.equal(suggestedVersion('1.2.3', 'new'), '1.3.0');
    t.equal(suggestedVersion('1.2.3', 'fixed'), '1.2.4');
    t.equal(suggestedVersion('2.0.0-beta.1', 'fixed'), '2.0.0');
    t.equal(suggestedVersion('no version', 'new'), '1.0.0');
  });

  t.test('the form shows a plugin as last submitted', async (t) => {
    const values = editableValues(editable(), false);
    t.hasStrict(values, { version: '1.2.0', tags: ['data'], copyright_kind: 'author', copyright_holder: '' });
    const files = storedFiles(editable().listing);
    t.hasStrict(files, { icon: { state: 'none' }, cover: { state: 'stored', picture: PICTURE }, code: null });
    t.strictSame(
      files.media.map(({ id, kind }) => `${kind} ${id.slice(0, 2)}`),
      ['image aa', 'video bb'],
    );
    t.strictSame(chosenFiles(files), []);
  });

  t.test('empty texts are removed', async (t) => {
    t.strictSame(withText({ 'en-US': 'A' }, 'en-US', ''), {});
    t.strictSame(withText({ 'en-US': 'A' }, 'zh-CN', '字'), { 'en-US': 'A', 'zh-CN': '字' });
    t.strictSame(trimmedTexts({ 'en-US': ' A ', 'zh-CN': ' ' }), { 'en-US': 'A' });
  });

  t.test('a language is complete without the texts that are optional', async (t) => {
    const values = fullValues({ intro: { 'en-US': ' ' }, support: { 'zh-CN': '写信给我们' } });
    t.equal(filledIn(values, LISTING_TEXTS, 'en-US'), 'some');
    t.equal(filledIn(values, LISTING_TEXTS, 'zh-CN'), 'some', 'support alone');
    t.equal(filledIn(values, LISTING_TEXTS, 'ja-JP'), 'none');
    t.equal(filledIn(fullValues(), LISTING_TEXTS, 'en-US'), 'all', 'without support');
    t.equal(filledIn(values, ['version_note'], 'en-US'), 'all');
  });

  t.test('the user’s changes are applied to a plugin that others have changed', async (t) => {
    const before = fullValues();
    const mine = fullValues({ contact: 'mine@example.com', name: { 'en-US': 'Mine' } });
    const now = fullValues({ intro: { 'en-US': 'Theirs.' }, name: { 'en-US': 'Theirs' } });
    t.hasStrict(rebased(mine, before, now), {
      contact: 'mine@example.com',
      name: { 'en-US': 'Mine' },
      intro: { 'en-US': 'Theirs.' },
    });
    t.strictSame(rebased(before, before, now), now);
  });

  t.test('values are compared by content', async (t) => {
    t.equal(isSame({ a: '1', b: '2' }, { b: '2', a: '1' }), true);
    t.equal(isSame({ a: '1' }, { a: '2' }), false);
    t.equal(isSame(['a', 'b'], ['b', 'a']), false);
    t.equal(isSame('', ''), true);
  });

  t.test('media swap with their neighbours and stay in range', async (t) => {
    const media = storedMedia(editable().listing.media);
    const [first = '', second = ''] = media.map(({ id }) => id);
    t.strictSame(
      movedMedia(media, first, 1).map(({ id }) => id),
      [second, first],
    );
    t.strictSame(movedMedia(media, first, -1), media);
    t.strictSame(movedMedia(media, second, 1), media);
    t.strictSame(movedMedia(media, 'unknown', 1), media);
  });

  t.test('a chosen picture is shown by its object URL', async (t) => {
    const file = new File(['x'], 'x.png');
    t.hasStrict(shownPicture({ state: 'chosen', file, url: 'blob:x' }), { key: 'blob:x', widths: [1] });
    t.equal(shownPicture(storedPicture(null)), null);
    t.equal(shownPicture(storedPicture(PICTURE)), PICTURE);
  });
});

t.test('payload', async (t) => {
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
    t.strictSame([payload.support, payload.tags], [{}, []]);
    const edited = publishPayload(editState({ includesVersion: true, packaged: ['intro'] }));
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
    const emptied = fullValues({ intro: { 'en-US': 'Counts frames.', 'ja-JP': '数える' }, support: {} });
    t.strictSame(publishPayload(editState({ values: emptied })), { intro: emptied.intro });
    const helped = fullValues({
      support: { 'en-US': ' Write to us. ', 'ja-JP': 'ご連絡ください', 'ru-RU': ' ' },
    });
    t.strictSame(publishPayload(editState({ values: helped })), {
      support: { 'en-US': 'Write to us.', 'ja-JP': 'ご連絡ください' },
    });
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
    t.strictSame(publishPayload(editState({ files, includesVersion: true })), {
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

  t.test('a picture and its before stay one, and are sent as such', async (t) => {
    const image = (id: string) => ({ id, key: id, kind: 'image', url: `/${id}` }) as const;
    const film = { id: 'film', key: 'film', kind: 'video', url: '/film' } as const;
    const written = (media: readonly MediaChoice[]) =>
      media.map(({ id, isBefore }) => (isBefore ? `${id} before` : id)).join();
    const pair = toggledBefore([image('a'), image('b'), image('c')], 'c');
    t.equal(written(pair), 'a,b,c before');
    t.equal(written(toggledBefore(pair, 'c')), 'a,b,c');
    t.equal(written(toggledBefore(pair, 'b')), 'a,b,c before', 'it has a before of its own');
    t.equal(written(toggledBefore([film, image('a')], 'a')), 'film,a', 'a video has none');
    t.equal(written(toggledBefore(pair, 'a')), 'a,b,c before', 'the first has nothing before it');
    t.equal(written(movedMedia(pair, 'a', 1)), 'b,c before,a');
    t.equal(written(movedMedia(pair, 'b', -1)), 'b,c before,a');
    t.equal(written(movedMedia(pair, 'c', -1)), 'a,c,b before', 'the two change their parts');
    t.equal(written(movedMedia(pair, 'b', 1)), 'a,c,b before');
    t.equal(written(withoutMedia(pair, 'b')), 'a,c');
    t.equal(written(withoutMedia(pair, 'a')), 'b,c before');
    const original = { values: fullValues(), files: { ...NO_FILES, media: [image('b'), image('c')] } };
    const media = toggledBefore(original.files.media, 'c');
    t.strictSame(publishPayload(editState({ original, files: { ...NO_FILES, media } })), {
      media_order: [{ key: 'b' }, { key: 'c', is_before: true }],
    });
    const picture = { key: 'c'.repeat(32), width: 320, height: 180, widths: [320] };
    t.match(storedMedia([{ kind: 'image', picture, is_before: true }]), [{ isBefore: true }]);
  });

  t.test('a kept or removed icon overrides that of the package', async (t) => {
    const facts = { includesVersion: true, hasIcon: true };
    const storedIcon = { ...NO_FILES, icon: { state: 'stored' as const, picture: PICTURE } };
    const original = { values: fullValues(), files: storedIcon };
    t.hasStrict(publishPayload(editState({ original, files: storedIcon, ...facts })), {
      keep: ['icon'],
      remove: undefined,
    });
    t.hasStrict(publishPayload(newState(facts)), { remove: ['icon'], keep: undefined });
    const without = publishPayload(newState({ includesVersion: true }));
    t.hasStrict(without, { remove: undefined, keep: undefined });
  });
});

t.test('draft', async (t) => {
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
          support: 'Write to us',
          version_kind: 'y',
        },
        file_names: 'x',
      }),
    );
    const restored = readDraft(storage, KEY);
    t.hasStrict(restored, { file_names: [], based_on: null, brings_version: false });
    t.hasStrict(restored?.values, { default_lang: 'en-US', tags: ['a'], contact: '', version_kind: 'new' });
    t.strictSame(restored?.values.name, {});
    t.strictSame(restored?.values.support, { 'en-US': 'Write to us' }, 'one text, as of earlier releases');
  });

  t.test('a form starts with its draft if that is based on the current submission', async (t) => {
    const language = 'en-US';
    const fresh = startOf({ plugin: undefined, startsWithVersion: false, language, draft: undefined });
    t.hasStrict(fresh, { includesVersion: true, draft: undefined, original: undefined });
    const back = startOf({ plugin: undefined, startsWithVersion: false, language, draft: draft() });
    t.strictSame(back.values, draft().values);
    t.equal(back.draft?.isOlder, false);

    const plugin = editable();
    const edit = startOf({ plugin, startsWithVersion: false, language, draft: undefined });
    t.hasStrict(edit, { includesVersion: false, values: { version: '1.2.0', contact: 'help@example.com' } });
    const version = startOf({ plugin, startsWithVersion: true, language, draft: undefined });
    t.hasStrict(version.values, { version: '1.3.0', version_kind: 'new' });
    t.strictSame(version.values.version_note, {}, 'the note of another version is removed');

    const mine = draft({ based_on: 7, brings_version: true });
    const taken = startOf({ plugin, startsWithVersion: false, language, draft: mine });
    t.equal(taken.includesVersion, true);
    t.strictSame(taken.values, mine.values);
    const older = startOf({ plugin, startsWithVersion: false, language, draft: draft({ based_on: 6 }) });
    t.equal(older.draft?.isOlder, true);
    t.strictSame(older.values, edit.values, 'an older draft is not restored automatically');
  });
});
