import t from 'tap';
import { blobSource, bytesSource } from '../../../shared/upload/byte-source.ts';
import { checkImage } from '../../../shared/upload/image-check.ts';
import { checkMedia } from '../../../shared/upload/media-check.ts';
import { checkVideo } from '../../../shared/upload/video-check.ts';
import { BROKEN_PICTURES } from '../../fixtures/media/broken-pictures.ts';
import { BROKEN_VIDEOS } from '../../fixtures/media/broken-videos.ts';
import { GOOD_PICTURES, GOOD_VIDEOS } from '../../fixtures/media/good.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  IMAGE_FORMAT: 'Incorrect image format!',
  IMAGE_TOO_LARGE: 'The image size exceeds 10 MB',
  IMAGE_TOO_MANY_PIXELS: 'The image has more than 50 megapixels.',
  VIDEO_FORMAT: 'Incorrect video format!',
  VIDEO_TOO_LARGE: 'The video size exceeds 100 MB',
};

const CHECKS = [
  { check: checkImage, kind: 'image', good: GOOD_PICTURES, broken: BROKEN_PICTURES },
  { check: checkVideo, kind: 'video', good: GOOD_VIDEOS, broken: BROKEN_VIDEOS },
] as const;

t.ok(BROKEN_PICTURES.length + BROKEN_VIDEOS.length >= 90);

for (const { check, kind, good, broken } of CHECKS) {
  for (const { title, bytes } of good) {
    t.test(`${kind} accepted: ${title}`, async (t) => {
      const made = await bytes();
      t.match(await check(bytesSource(made), '/a'), { kind });
      t.match(await checkMedia(bytesSource(made), '/a'), { kind });
    });
  }
  for (const { title, bytes, code, seenBy } of broken) {
    t.test(`${kind} refused: ${title}`, async (t) => {
      const made = await bytes();
      const found = await check(bytesSource(made), '/a');
      if (seenBy === 'decoder') t.match(found, { kind }, 'the head is fine');
      else t.match(found, { code, severity: 'error', pointer: '/a', message: MESSAGES[code] });
    });
  }
}

t.test('a file of a form is checked like one on disk', async (t) => {
  for (const { bytes, title } of [...GOOD_VIDEOS, ...GOOD_PICTURES]) {
    const source = blobSource(new Blob([Uint8Array.from(await bytes())]));
    t.notMatch(await checkMedia(source), { code: String }, title);
  }
});

t.test('what declares its pixels is believed', async (t) => {
  for (const { bytes, title } of GOOD_PICTURES) {
    const found = await checkImage(bytesSource(await bytes()));
    t.ok('width' in found && found.width > 0 && found.width <= 400 && found.height <= 400, title);
  }
  const [jpeg] = GOOD_PICTURES;
  t.match(await checkImage(bytesSource((await jpeg?.bytes()) ?? Buffer.alloc(0))), {
    width: 400,
    height: 200,
  });
});

t.test('a source that cannot be read is no broken film', async (t) => {
  const [film] = GOOD_VIDEOS;
  const bytes = (await film?.bytes()) ?? Buffer.alloc(0);
  let reads = 0;
  const gone = {
    size: bytes.length,
    async read(offset: number, length: number) {
      reads += 1;
      if (reads > 1) throw new Error('the file is gone');
      return bytes.subarray(offset, offset + length);
    },
  };
  await t.rejects(checkVideo(gone), { message: 'the file is gone' });
});
