import { glob, readFile } from 'node:fs/promises';
import t from 'tap';
import { IMAGE_TYPES, VIDEO_TYPES } from '../../../shared/constants.ts';
import { blobSource, bytesSource, fileKindOf } from '../../../shared/upload/byte-source.ts';
import { checkImage } from '../../../shared/upload/image-check.ts';
import { checkMedia, checkVideo } from '../../../shared/upload/media-check.ts';
import { BROKEN_PICTURES } from '../../fixtures/media/broken-pictures.ts';
import { BROKEN_VIDEOS } from '../../fixtures/media/broken-videos.ts';
import { mediaFile } from '../../fixtures/media/files.ts';
import { GOOD_PICTURES, GOOD_VIDEOS } from '../../fixtures/media/good.ts';
import { heif } from '../../fixtures/media/images.ts';
import { idat, ihdr, png } from '../../fixtures/media/png.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  IMAGE_FORMAT: 'Incorrect image format!',
  IMAGE_DAMAGED: 'The image is damaged or incomplete.',
  IMAGE_TOO_LARGE: 'The image size exceeds 10 MB',
  VIDEO_FORMAT: 'Incorrect video format!',
  VIDEO_DAMAGED: 'The video is damaged or incomplete.',
  VIDEO_TOO_LARGE: 'The video size exceeds 100 MB',
};

const PIXELS = /^The image has more than (24|8\.5) megapixels\.$/;

const CHECKS = [
  { check: checkImage, kind: 'image', good: GOOD_PICTURES, broken: BROKEN_PICTURES },
  { check: checkVideo, kind: 'video', good: GOOD_VIDEOS, broken: BROKEN_VIDEOS },
] as const;

t.ok(BROKEN_PICTURES.length + BROKEN_VIDEOS.length >= 90);

for (const { check, kind, good, broken } of CHECKS) {
  for (const { title, bytes } of good) {
    t.test(`${kind} accepted: ${title}`, async (t) => {
      const made = await bytes();
      t.hasStrict(await check(bytesSource(made), '/a'), { kind });
      t.hasStrict(await checkMedia(bytesSource(made), { pointer: '/a' }), { kind });
    });
  }
  for (const { title, bytes, code, seenBy } of broken) {
    t.test(`${kind} refused: ${title}`, async (t) => {
      const made = await bytes();
      const found = await check(bytesSource(made), '/a');
      if (seenBy === 'decoder') t.hasStrict(found, { kind }, 'the header is valid');
      else t.match(found, { code, severity: 'error', pointer: '/a', message: MESSAGES[code] ?? PIXELS });
    });
  }
}

t.test('forms offer what is accepted, and no HEIC', async (t) => {
  for (const [offered, good] of [
    [IMAGE_TYPES, GOOD_PICTURES],
    [VIDEO_TYPES, GOOD_VIDEOS],
  ] as const) {
    const sources = await Promise.all(good.map(async ({ bytes }) => bytesSource(await bytes())));
    const kinds = await Promise.all(sources.map(fileKindOf));
    const accepted = new Set(kinds.map((kind) => kind?.mime.replace('image/apng', 'image/png')));
    for (const type of offered.split(',')) t.ok(accepted.has(type), type);
  }
  const web = new URL('../../../web/', import.meta.url);
  for await (const path of glob('**/*.tsx', { cwd: web, exclude: ['dist/**', 'node_modules/**'] })) {
    const source = await readFile(new URL(path, web), 'utf8');
    t.notMatch(source, /accept=[^\n]*image\/|image\/hei[cf]/, path);
  }
});

t.test('a file of a form is checked like a file on disk', async (t) => {
  for (const { bytes, title } of [...GOOD_VIDEOS, ...GOOD_PICTURES]) {
    const source = blobSource(new Blob([Uint8Array.from(await bytes())]));
    t.notMatch(await checkMedia(source), { code: String }, title);
  }
});

t.test('a file that is neither image nor video is refused by its name', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello, I am not a video'), Buffer.alloc(5000, 7)]) {
    for (const [name, message] of [
      ['a.mp4', 'Incorrect video format!'],
      ['A.WEBM', 'Incorrect video format!'],
      ['a.mov', 'Incorrect video format!'],
      ['a.png', 'Incorrect image format!'],
      ['mp4', 'Incorrect image format!'],
    ] as const)
      t.hasStrict(await checkMedia(bytesSource(bytes), { name }), { message }, name);
  }
  const [picture] = GOOD_PICTURES;
  const misnamed = bytesSource((await picture?.bytes()) ?? Buffer.alloc(0));
  t.hasStrict(
    await checkMedia(misnamed, { name: 'a.mp4' }),
    { kind: 'image' },
    'the content takes precedence over the name',
  );
});

t.test('the declared size is returned', async (t) => {
  for (const { bytes, title } of GOOD_PICTURES) {
    const found = await checkImage(bytesSource(await bytes()));
    t.ok('width' in found && found.width > 0 && found.width <= 400 && found.height <= 400, title);
  }
  const [jpeg] = GOOD_PICTURES;
  t.hasStrict(await checkImage(bytesSource((await jpeg?.bytes()) ?? Buffer.alloc(0))), {
    width: 400,
    height: 200,
  });
});

t.test('a read error is thrown and not reported as a broken video', async (t) => {
  const [video] = GOOD_VIDEOS;
  const bytes = (await video?.bytes()) ?? Buffer.alloc(0);
  let reads = 0;
  const unreadable = {
    size: bytes.length,
    async read(offset: number, length: number) {
      reads += 1;
      if (reads > 1) throw new Error('the file was deleted');
      return bytes.subarray(offset, offset + length);
    },
  };
  await t.rejects(checkVideo(unreadable), { message: 'the file was deleted' });
});

const interlaced = (width: number, height: number, bits: number): Buffer =>
  png(ihdr(width, height, 2, { bits, interlace: 1 }), idat(9, 9));
const lines = (width: number, height: number): Buffer => png(ihdr(width, height), idat(9, 9));
const avif = (width: number, height: number): Buffer => heif('avif', 'av1C', width, height);
/** An AVIF of a real encoder that says another size. */
const resized = (name: string, width: number, height: number): Buffer => {
  const copy = mediaFile(name);
  const extent = copy.indexOf('ispe');
  copy.writeUInt32BE(width, extent + 8);
  copy.writeUInt32BE(height, extent + 12);
  return copy;
};
/** Start of a JPEG whose frame header follows a fill byte (ITU-T T.81 section B.1.1.2). */
const jpegStart = (width: number, height: number, components: number): Buffer => {
  const frame = Buffer.from('ffd8ffffc0001108000000000300000000000000', 'hex');
  frame.writeUInt16BE(height, 8);
  frame.writeUInt16BE(width, 10);
  frame.writeUInt8(components, 12);
  return frame;
};

t.test('the pixel limit depends on the role of the image and on the memory for decoding it', async (t) => {
  const cases: [title: string, bytes: Buffer, pixels: number | undefined, limit: string | undefined][] = [
    ['a cover', lines(6000, 4000), undefined, undefined],
    ['a larger one', lines(6001, 4000), undefined, '24'],
    ['an icon', lines(2000, 2000), 4_000_000, undefined],
    ['a larger one', lines(2001, 2000), 4_000_000, '4'],
    ['AVIF of a wide screen', avif(3840, 2160), undefined, undefined],
    ['a larger one', avif(4000, 3000), undefined, '8.5'],
    ['AVIF of ten bits', resized('deep.avif', 3200, 2000), undefined, undefined],
    ['a larger one', resized('deep.avif', 3300, 2000), undefined, '6.4'],
    ['the same of eight bits', resized('still.avif', 3300, 2000), undefined, undefined],
    ['AVIF as an icon', avif(2001, 2000), 4_000_000, '4'],
    ['PNG in passes', interlaced(6000, 4000, 8), undefined, undefined],
    ['PNG in passes, of twice the bits', interlaced(5200, 2800, 16), undefined, undefined],
    ['a larger one', interlaced(5300, 2800, 16), undefined, '14.7'],
    ['AVIF whose visible part is small', heif('avif', 'av1C', 8000, 6250, 10), undefined, '8.5'],
    ['JPEG of three components', jpegStart(6000, 4000, 3), undefined, undefined],
    ['JPEG of four components', jpegStart(4500, 4000, 4), undefined, undefined],
    ['a larger one', jpegStart(4501, 4000, 4), undefined, '18'],
  ];
  for (const [title, bytes, pixels, limit] of cases) {
    const found = await checkImage(bytesSource(bytes), '/a', pixels);
    if (limit === undefined) t.hasStrict(found, { kind: 'image' }, title);
    else {
      const message = `The image has more than ${limit} megapixels.`;
      t.hasStrict(
        found,
        { code: 'IMAGE_TOO_MANY_PIXELS', severity: 'error', params: { limit }, message },
        title,
      );
    }
  }
});
