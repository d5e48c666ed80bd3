import t from 'tap';
import { checkVideo } from '../../../shared/upload/media-check.ts';
import { mp4Bomb, webmBomb } from '../../fixtures/media/bombs.ts';

for (const [title, bomb] of Object.entries({ mp4: mp4Bomb, webm: webmBomb })) {
  t.test(`a container with too many parts is not read to its end: ${title}`, async (t) => {
    const bytes = bomb(86_000_000);
    let fetched = 0;
    const source = {
      size: bytes.length,
      async read(offset: number, length: number) {
        fetched += length;
        return bytes.subarray(offset, offset + length);
      },
    };
    t.hasStrict(await checkVideo(source, '/a'), { code: 'VIDEO_DAMAGED', pointer: '/a' });
    t.ok(fetched < bytes.length / 4, `${fetched} of ${bytes.length} bytes`);
  });
}
