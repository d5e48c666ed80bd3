import t from 'tap';
import {
  chosenFiles,
  movedMedia,
  shownPicture,
  storedFiles,
  storedMedia,
  storedPicture,
} from '../../../../web/features/publishing/files/files.ts';
import {
  editableValues,
  filledIn,
  isSame,
  rebased,
  suggestedVersion,
  trimmedTexts,
  withText,
} from '../../../../web/features/publishing/values/values.ts';
import { editable, fullValues, PICTURE } from './support.ts';

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
  const texts = [{ 'en-US': 'A' }, { 'en-US': ' ' }];
  t.equal(filledIn(texts, 'en-US'), 'some');
  t.equal(filledIn(texts, 'ja-JP'), 'none');
  t.equal(filledIn([{ 'en-US': 'A' }], 'en-US'), 'all');
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
