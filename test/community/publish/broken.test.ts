import t from 'tap';
import { bytesSource, fileKindOf } from '../../../shared/upload/byte-source.ts';
import { BROKEN_MEDIA } from '../../fixtures/media/broken.ts';
import { jpeg } from '../../fixtures/media/good.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';
import { testCommunity } from '../../support/community.ts';
import { jsonFile, pluginForm } from './form-parts.ts';
import { publishing } from './publishing.ts';

const community = await testCommunity(t, { publishers: 'members' });
const { send, sent, storedState } = publishing(community);
await sent(pluginForm());
const before = await storedState();

/** Codes of a package that the answer itself carries. */
const OWN: Readonly<Record<string, [number, string]>> = {
  NOT_JSON: [415, 'CODE_FORMAT'],
  PACKAGE_TOO_LARGE: [413, 'PACKAGE_TOO_LARGE'],
};
const MEDIA: Readonly<Record<string, [number, string]>> = {
  IMAGE_FORMAT: [415, 'IMAGE_FORMAT'],
  IMAGE_TOO_LARGE: [413, 'IMAGE_TOO_LARGE'],
  IMAGE_TOO_MANY_PIXELS: [413, 'IMAGE_TOO_MANY_PIXELS'],
  VIDEO_FORMAT: [415, 'VIDEO_FORMAT'],
  VIDEO_TOO_LARGE: [413, 'VIDEO_TOO_LARGE'],
};

t.test('broken packages', async (t) => {
  t.ok(BROKEN_PACKAGES.length >= 40, `${BROKEN_PACKAGES.length} kinds`);
  for (const { kind, make, code, pointer, line, file } of BROKEN_PACKAGES) {
    const form = pluginForm({ code: jsonFile(new Uint8Array(make())) });
    const { status, json } = await send(form);
    const [expected, topCode] = OWN[code] ?? [422, 'PACKAGE_INVALID'];
    t.equal(status, expected, `${kind}: ${JSON.stringify(json).slice(0, 300)}`);
    const fault = { ...(line !== undefined && { line }), ...(file !== undefined && { file }) };
    // A part beyond its size limit is not parsed, so the pointer is that of the part.
    const place = topCode === 'PACKAGE_TOO_LARGE' ? '/code' : pointer;
    t.match(json, { code: topCode, errors: [{ code, pointer: place, severity: 'error', ...fault }] }, kind);
  }
  t.strictSame(await storedState(), before, 'and nothing is stored');
});

t.test('broken pictures and videos in every field', async (t) => {
  t.ok(BROKEN_MEDIA.length >= 40, `${BROKEN_MEDIA.length} kinds`);
  const good = new File([new Uint8Array(await jpeg())], 'good.jpg');
  for (const { title, filename, bytes, code } of BROKEN_MEDIA) {
    const content = new Uint8Array(await bytes());
    const file = new File([content], filename);
    const head = await fileKindOf(bytesSource(content));
    const isFilm = head?.mime.startsWith('video/') === true;
    const asIcon = code.startsWith('VIDEO') ? [] : [{ field: 'icon', pointer: '/icon', code }];
    // A file that neither is a video nor is named like one gets the error of a picture; a valid video is no case here.
    const isNamed = head?.mime.startsWith('image/') !== true && !/\.(?:m4a|mp3|ts)$/.test(filename);
    const isMeant = isFilm || code.startsWith('IMAGE') || isNamed;
    const asMedia =
      isFilm && code.startsWith('IMAGE')
        ? []
        : [{ field: 'media', pointer: '/media/1', code: isMeant ? code : 'IMAGE_FORMAT' }];
    for (const expected of [...asIcon, ...asMedia]) {
      const { field, pointer } = expected;
      const form = pluginForm(field === 'media' ? { media: [good, file] } : { [field]: file });
      const answer = await send(form);
      const [status, topCode] = MEDIA[expected.code] ?? [0, ''];
      t.equal(answer.status, status, `${title} as ${field}: ${JSON.stringify(answer.json).slice(0, 300)}`);
      t.hasStrict(
        answer.json,
        { code: topCode, errors: [{ code: expected.code, pointer }] },
        `${title} as ${field}`,
      );
    }
  }
  t.strictSame(await storedState(), before, 'and nothing is stored');
});
