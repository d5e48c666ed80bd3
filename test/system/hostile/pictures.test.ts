import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { sql } from 'kysely';
import sharp from 'sharp';
import t from 'tap';
import { loadCatalogue, picturePath } from '../../../demo/catalogue.ts';
import { openFolderStore } from '../../../server/community/files/media/files.ts';
import { createCoverFilling, generateCover } from '../../../server/community/files/media/generated-cover.ts';
import { openPictures, type PictureRole } from '../../../server/community/files/media/pictures.ts';
import { insertPictures } from '../../../server/community/files/media/store.ts';
import { communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { programEnvironment } from '../../../server/launch/node.js';
import { CARD_BYTES_MAX } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { ask, dataOf } from '../../community/ask.ts';
import { PICTURE_BOMBS } from '../../fixtures/media/bombs.ts';
import { BROKEN_PICTURES } from '../../fixtures/media/broken-pictures.ts';
import { GOOD_PICTURES } from '../../fixtures/media/good.ts';
import { testCommunity, testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';

const STATUSES: Readonly<Record<string, number>> = {
  IMAGE_FORMAT: 415,
  IMAGE_DAMAGED: 422,
  IMAGE_TOO_LARGE: 413,
  IMAGE_TOO_MANY_PIXELS: 413,
};

t.test('pictures', async (t) => {
  const files = openFolderStore(await testFolder(t));
  const pictures = openPictures(files);

  function plain(width: number, height: number) {
    return sharp({ create: { width, height, channels: 3, background: '#3366ff' } });
  }

  async function bytesOf(name: string): Promise<Buffer> {
    const file = await files.get(name);
    if (!file) throw new Error(`${name} is not there`);
    return buffer(file.stream());
  }

  async function stored(key: string, width: number) {
    return sharp(await bytesOf(`${key}-${width}.webp`)).metadata();
  }

  t.test('stores a picture in the widths up to its own', async (t) => {
    const cases: [role: PictureRole, width: number, widths: number[]][] = [
      ['picture', 1280, [320, 640, 1280]],
      ['picture', 4000, [320, 640, 1280]],
      ['picture', 800, [320, 640]],
      ['picture', 320, [320]],
      ['picture', 100, [100]],
      ['icon', 512, [64, 128, 320]],
      ['icon', 128, [64, 128]],
      ['icon', 32, [32]],
    ];
    for (const [role, width, widths] of cases) {
      const kept = await pictures.keep({ content: await plain(width, 50).png().toBuffer(), role });
      t.hasStrict(kept, { width, height: 50, widths });
      let bytes = 0;
      for (const narrowed of widths) {
        t.hasStrict(await stored(kept.key, narrowed), { format: 'webp', width: narrowed });
        bytes += (await bytesOf(`${kept.key}-${narrowed}.webp`)).length;
      }
      t.equal(kept.bytes, bytes, 'its bytes are those of its files');
    }
  });

  t.test('widths for cards are small files for any picture', async (t) => {
    const random = fc.sample(fc.integer({ min: 0, max: 255 }), { numRuns: 3 * 80 * 45, seed: 7 });
    // As rich as photos come: grain of many sizes over all of it.
    const photo = await sharp(Uint8Array.from(random), { raw: { width: 80, height: 45, channels: 3 } })
      .resize({ width: 1280, kernel: 'lanczos3' })
      .jpeg({ quality: 95 })
      .toBuffer();
    const { key, widths } = await pictures.keep({ content: photo });
    t.strictSame(widths, [320, 640, 1280]);
    for (const width of [320, 640]) {
      const { length } = await bytesOf(`${key}-${width}.webp`);
      t.ok(length <= CARD_BYTES_MAX, `${width} pixels wide: ${length} bytes`);
    }
    const best = await sharp(photo).webp({ quality: 82 }).toBuffer();
    t.ok(best.length > 2 * CARD_BYTES_MAX, `at its best it takes ${best.length} bytes`);
    t.ok((await bytesOf(`${key}-1280.webp`)).length > CARD_BYTES_MAX, 'looked at alone it may take its time');
  });

  t.test('demo covers have the best quality in small widths', async (t) => {
    for (const { slug } of loadCatalogue().plugins.filter((_, index) => index % 12 === 5)) {
      const drawn = await readFile(picturePath(`covers/${slug}`));
      const { key } = await pictures.keep({ content: drawn });
      const [narrow, wide] = [await bytesOf(`${key}-320.webp`), await bytesOf(`${key}-640.webp`)];
      const sizes = `${narrow.length} and ${wide.length} bytes`;
      t.ok(Math.max(narrow.length, wide.length) <= CARD_BYTES_MAX, sizes);
      const best = await sharp(await sharp(drawn).resize({ width: 1280 }).raw().toBuffer(), {
        raw: { width: 1280, height: 720, channels: 3 },
      });
      t.equal(narrow.length, (await best.resize({ width: 320 }).webp({ quality: 82 }).toBuffer()).length);
    }
  });

  t.test('stores a picture of one pixel', async (t) => {
    const picture = await pictures.keep({ content: await plain(1, 1).png().toBuffer() });
    t.strictSame(picture.widths, [16]);
    t.hasStrict(await stored(picture.key, 16), { format: 'webp' });
  });

  t.test('rotates a photo upright and removes its metadata', async (t) => {
    const photo = await plain(400, 200)
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1' } })
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    const picture = await pictures.keep({ content: photo });
    t.hasStrict(picture, { width: 200, height: 400, widths: [200] });
    const made = await stored(picture.key, 200);
    t.hasStrict(made, { width: 200, height: 400 });
    t.strictSame([made.exif, made.icc, made.xmp, made.iptc], [undefined, undefined, undefined, undefined]);
    t.notOk((await bytesOf(`${picture.key}-200.webp`)).includes('Ada'));
  });

  t.test('converts other colour spaces without visible change', async (t) => {
    const red = plain(40, 40).png().toBuffer();
    const cmyk = await sharp(await red)
      .toColourspace('cmyk')
      .jpeg({ quality: 100 })
      .toBuffer();
    const { key } = await pictures.keep({ content: cmyk });
    const { channels } = await sharp(await bytesOf(`${key}-40.webp`)).stats();
    const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => mean);
    t.ok(b > 150 && b > g && g > r, `${r} ${g} ${b}`);
  });

  t.test('keeps transparency', async (t) => {
    const { key } = await pictures.keep({
      content: await plain(64, 64).ensureAlpha(0.5).png().toBuffer(),
      role: 'icon',
    });
    const { channels } = await sharp(await bytesOf(`${key}-64.webp`)).stats();
    t.equal(channels.length, 4);
    t.ok(Math.abs((channels[3]?.mean ?? 0) - 127) < 3);
  });

  t.test('stores the first image of an animation', async (t) => {
    for (const { title, bytes } of GOOD_PICTURES.filter((good) => good.title.startsWith('animated'))) {
      const { key, height, widths } = await pictures.keep({ content: await bytes() });
      const made = await stored(key, widths[0] ?? 0);
      t.hasStrict([made.pages ?? 1, made.height], [1, height], title);
      t.ok(height <= 40, title);
    }
  });

  t.test('the same bytes in the same role have the same key', async (t) => {
    const content = await plain(330, 20).webp().toBuffer();
    const [first, second] = await Promise.all([1, 2].map(() => pictures.keep({ content })));
    t.strictSame(first, second);
    t.not((await pictures.keep({ content, role: 'icon' })).key, first?.key);
  });

  t.test('reads a picture from a file', async (t) => {
    const path = join(await testFolder(t), 'upload');
    const content = await plain(90, 20).webp().toBuffer();
    await writeFile(path, content);
    t.strictSame(await pictures.keep({ content: path }), await pictures.keep({ content }));
  });

  t.test('preparing stores nothing', async (t) => {
    const store = openFolderStore(await testFolder(t));
    const { prepare, store: keep } = openPictures(store);
    const prepared = await prepare({ content: await plain(400, 20).png().toBuffer() });
    t.strictSame(await Array.fromAsync(store.list()), []);
    t.strictSame(await keep(prepared), prepared.picture);
    t.strictSame(
      (await Array.fromAsync(store.list())).map(({ name }) => name),
      [`${prepared.picture.key}-320.webp`],
    );
  });

  for (const { title, bytes } of GOOD_PICTURES) {
    t.test(`stored: ${title}`, async (t) => {
      const { key, widths } = await pictures.keep({ content: await bytes() });
      for (const width of widths) t.hasStrict(await stored(key, width), { format: 'webp', width });
    });
  }

  for (const { title, bytes, code } of BROKEN_PICTURES) {
    t.test(`rejected: ${title}`, async (t) => {
      const store = openFolderStore(await testFolder(t));
      await t.rejects(openPictures(store).keep({ content: await bytes(), pointer: '/icon' }), {
        code,
        statusCode: STATUSES[code],
        details: [{ code, severity: 'error', pointer: '/icon' }],
      });
      t.strictSame(await Array.fromAsync(store.list()), [], 'nothing is stored');
    });
  }

  t.test('limits the pixels of tall pictures', async (t) => {
    const cases: [width: number, height: number, widths: number[]][] = [
      [1280, 3900, [320, 640, 1280]],
      [1280, 4000, [320, 640]],
      [1464, 16_380, [320, 640]],
      [700, 16_380, [320]],
    ];
    for (const [width, height, widths] of cases) {
      const content = await plain(width, height).png().toBuffer();
      t.hasStrict(await pictures.keep({ content }), { width, height, widths });
    }
  });

  t.test('icons and codes have fewer pixels than pictures', async (t) => {
    const content = await plain(2001, 2000).png().toBuffer();
    t.hasStrict(await pictures.keep({ content }), { width: 2001 });
    for (const role of ['icon', 'code'] as const) {
      await t.rejects(pictures.keep({ content, role, pointer: '/picture' }), {
        code: 'IMAGE_TOO_MANY_PIXELS',
        statusCode: 413,
        message: 'The image has more than 4 megapixels.',
        details: [{ code: 'IMAGE_TOO_MANY_PIXELS', pointer: '/picture', params: { limit: '4' } }],
      });
    }
  });

  t.test('a small picture does not wait for ten large ones of another user', async (t) => {
    const folder = await testFolder(t);
    const { prepare } = openPictures(openFolderStore(folder));
    const large = await plain(3000, 2900).jpeg().toBuffer();
    const small = await plain(64, 64).png().toBuffer();
    let done = 0;
    const others = Array.from({ length: 10 }, async () => {
      await prepare({ content: large, userId: 66 });
      done += 1;
    });
    await prepare({ content: small, userId: 7 });
    t.ok(done < 5, `${done} of the large ones had come first`);
    await Promise.all(others);
  });

  t.test('rejects too many pictures of one user, and skips aborted ones', async (t) => {
    const { prepare } = openPictures(openFolderStore(await testFolder(t)));
    const content = await plain(600, 600).png().toBuffer();
    const gone = AbortSignal.abort(new Error('gone'));
    await t.rejects(prepare({ content, userId: 66, signal: gone }), { message: 'gone' });
    const given = Array.from({ length: 25 }, () => prepare({ content, userId: 66 }).catch((error) => error));
    const answers = await Promise.all(given);
    t.equal(answers.filter((answer) => 'picture' in answer).length, 21);
    const refused = answers.filter((answer) => answer instanceof Error);
    t.match(refused, Array(4).fill({ code: 'TOO_MANY_REQUESTS', headers: { 'retry-after': '5' } }));
  });

  t.test('six concurrent bombs need no more memory than the largest picture', async (t) => {
    const folder = await testFolder(t);
    const paths = await Promise.all(
      PICTURE_BOMBS.map(async ({ bytes }, place) => {
        const path = join(folder, `bomb-${place}`);
        await writeFile(path, await bytes());
        return path;
      }),
    );
    const program = fileURLToPath(new URL('../../../bench/hostile-decode.ts', import.meta.url));
    const env = programEnvironment(fileURLToPath(new URL('../../..', import.meta.url)));
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...paths], { env });
    const { answers, growth } = JSON.parse(stdout);
    t.strictSame(answers, ['IMAGE_TOO_MANY_PIXELS', 'kept', 'kept', 'kept', 'kept', 'kept']);
    t.ok(growth < 250, `${Math.round(growth)} MiB`);
  });
});

t.test('generated cover', async (t) => {
  const square = (color: string) =>
    sharp({ create: { width: 320, height: 320, channels: 3, background: color } })
      .png()
      .toBuffer();

  /** The mean colour of a cover near its left edge, where no icon stands. */
  async function groundOf(cover: Uint8Array): Promise<{ r: number; g: number; b: number }> {
    const { channels } = await sharp(cover).extract({ left: 0, top: 0, width: 1280, height: 90 }).stats();
    const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => mean);
    return { r, g, b };
  }

  t.test('covers have the colours of the icon', async (t) => {
    const blue = await square('#1f4fe0');
    const red = await square('#d8262c');
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const cover = await generateCover(blue, key);
      const { width, height, format } = await sharp(cover).metadata();
      t.strictSame({ width, height, format }, { width: 1280, height: 720, format: 'png' });
      const [cold, warm] = [await groundOf(cover), await groundOf(await generateCover(red, key))];
      t.ok(cold.b > cold.r, `${key}: blue is ${JSON.stringify(cold)}`);
      t.ok(warm.r > warm.b, `${key}: red is ${JSON.stringify(warm)}`);
    }
  });

  t.test('covers without an icon, or with a grey one, are coloured', async (t) => {
    const grey = await square('#8a8a8a');
    for (const cover of [await generateCover(grey, 'one'), await generateCover(null, 'one')]) {
      const { channels } = await sharp(cover).stats();
      const means = channels.map(({ mean }) => mean);
      t.ok(Math.max(...means) - Math.min(...means) > 10, means.join());
    }
  });

  t.test('generates missing covers', async (t) => {
    const { db } = await testDatabase<CommunityTables>(t, {
      schema: 'community',
      migrations: communityMigrations,
      name: 'covers',
    });
    const files = openFolderStore(await testFolder(t));
    const pictures = openPictures(files);
    const warnings: unknown[] = [];
    const log = { warn: (...said: unknown[]) => warnings.push(said), info: () => undefined };
    const fillSome = createCoverFilling({ db, files, pictures, now: Date.now }, log);
    const fill = async () => (await fillSome()).made;
    const keep = async (color: string, role: 'icon' | 'picture') => {
      const kept = await pictures.keep({ content: await square(color), role });
      await insertPictures(db, [kept]);
      return kept.key;
    };
    const state = (id: number) =>
      db
        .selectFrom('plugin')
        .select(['cover_key', 'generated_cover_key', 'generated_from'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const [blue, red, own] = [
      await keep('#1f4fe0', 'icon'),
      await keep('#d8262c', 'icon'),
      await keep('#ffffff', 'picture'),
    ];
    const id = await addPlugin(db, { key: 'without-cover' });
    const set = (values: { icon_key?: string | null; cover_key?: string | null }) =>
      db.updateTable('plugin').set(values).where('id', '=', id).execute();

    t.test('from the icon, once', async (t) => {
      await set({ icon_key: blue });
      t.equal(await fill(), 1);
      const made = await state(id);
      t.equal(made.generated_from, blue);
      const file = await files.get(`${made.generated_cover_key}-1280.webp`);
      t.ok(file);
      if (file)
        t.hasStrict(await sharp(await buffer(file.stream())).metadata(), { width: 1280, height: 720 });
      t.equal(await fill(), 0, 'nothing is made again');
    });

    t.test('again when the icon changes', async (t) => {
      const before = await state(id);
      await set({ icon_key: red });
      t.equal(await fill(), 1);
      const after = await state(id);
      t.equal(after.generated_from, red);
      t.not(after.generated_cover_key, before.generated_cover_key);
    });

    t.test('not with a cover of the publisher, and again after its removal', async (t) => {
      await set({ cover_key: own, icon_key: blue });
      t.equal(await fill(), 0);
      await set({ cover_key: null });
      t.equal(await fill(), 1);
      t.equal((await state(id)).generated_from, blue);
    });

    t.test('also for an icon that cannot be decoded', async (t) => {
      await files.remove(`${blue}-320.webp`, new Date(Date.now() + 60_000));
      await files.put(`${blue}-320.webp`, Buffer.from('no picture'));
      const other = await addPlugin(db, { key: 'broken-icon' });
      await db.updateTable('plugin').set({ icon_key: blue }).where('id', '=', other).execute();
      t.equal(await fill(), 1);
      t.ok((await state(other)).generated_cover_key);
      t.match(warnings, [[{ plugin: 'broken-icon' }, 'the icon cannot be used for a cover']]);
    });

    t.test('found by a partial index', async (t) => {
      await sql`set enable_seqscan = off`.execute(db);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select p.id from plugin p
        where p.cover_key is null and p.deleted_at is null
          and p.generated_from is distinct from coalesce(p.icon_key, '') order by p.id limit 4`.execute(db);
      t.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /plugin_without_cover/);
    });
  });

  t.test('lists and the page show the generated cover', async (t) => {
    const community = await testCommunity(t);
    const id = await addPlugin(community.db, { key: 'shown-cover' });
    const made = { picture_key: 'c'.repeat(32), width: 1280, height: 720, widths: [320, 640, 1280] };
    await community.db.insertInto('picture').values(made).execute();
    await community.db
      .updateTable('plugin')
      .set({ generated_cover_key: made.picture_key, generated_from: '' })
      .where('id', '=', id)
      .execute();
    const expected = { key: made.picture_key, width: 1280, height: 720, widths: [320, 640, 1280] };
    const page = dataOf(await ask(community.url, 'plugin?plugin_key=shown-cover'), contract.readPlugin.data);
    t.strictSame(page.cover, expected);
    const list = dataOf(await ask(community.url, 'plugin/list?tag_id=0&limit=5'), contract.listPlugins.data);
    t.strictSame(
      list.plugin_list.map(({ cover }) => cover),
      [expected],
    );
  });
});
