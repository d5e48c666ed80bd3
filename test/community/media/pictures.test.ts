import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import t from 'tap';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { openPictures } from '../../../server/community/media/pictures.ts';
import { testFolder } from '../../support/community.ts';

const files = openFolderStore(await testFolder(t));
const pictures = openPictures(files);

function plain(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#3366ff' } });
}

async function stored(key: string, width: number) {
  const file = await files.get(`${key}-${width}.webp`);
  return file && sharp(await buffer(file.stream())).metadata();
}

t.test('a picture is kept in the widths that are not wider than itself', async (t) => {
  const cases: [width: number, widths: number[]][] = [
    [1280, [320, 640, 1280]],
    [4000, [320, 640, 1280]],
    [800, [320, 640]],
    [320, [320]],
    [100, [100]],
  ];
  for (const [width, widths] of cases) {
    const picture = await pictures.keep(await plain(width, 50).png().toBuffer());
    t.match(picture, { width, height: 50, widths });
    for (const narrowed of widths) {
      t.match(await stored(picture.key, narrowed), { format: 'webp', width: narrowed });
    }
  }
});

t.test('a picture of one pixel is kept', async (t) => {
  const picture = await pictures.keep(await plain(1, 1).png().toBuffer());
  t.same(picture.widths, [16]);
  t.match(await stored(picture.key, 16), { format: 'webp' });
});

t.test('a photo is turned upright and loses what it tells of its owner', async (t) => {
  const photo = await plain(400, 200)
    .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const picture = await pictures.keep(photo);
  t.match(picture, { width: 200, height: 400, widths: [200] });
  const made = await stored(picture.key, 200);
  t.match(made, { width: 200, height: 400 });
  t.equal(made?.exif, undefined);
});

t.test('the same bytes are the same picture', async (t) => {
  const bytes = await plain(330, 20).webp().toBuffer();
  const [first, second] = await Promise.all([pictures.keep(bytes), pictures.keep(bytes)]);
  t.same(first, second);
});

const refused: [title: string, bytes: Uint8Array | Promise<Uint8Array>][] = [
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['text', Buffer.from('hello')],
  ['nothing', Buffer.from('')],
  [
    'half a picture',
    plain(900, 900)
      .jpeg()
      .toBuffer()
      .then((bytes) => bytes.subarray(0, bytes.length / 2)),
  ],
  ['too many pixels', plain(10_000, 5001).png({ compressionLevel: 1 }).toBuffer()],
];
for (const [title, bytes] of refused) {
  t.test(`${title} is refused`, async (t) => {
    await t.rejects(pictures.keep(await bytes), { code: 'UNSUPPORTED_MEDIA_TYPE', statusCode: 415 });
  });
}
