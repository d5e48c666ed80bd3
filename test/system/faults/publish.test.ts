import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type FileStore, openFolderStore } from '../../../server/community/files/media/files.ts';
import { openPictures } from '../../../server/community/files/media/pictures.ts';
import { preparePackage } from '../../../server/community/files/media/stored-files.ts';
import { storeAndSubmit } from '../../../server/community/publishing/publish/submit.ts';
import { appError } from '../../../server/http/errors.ts';
import { bytesSource, fileKindOf } from '../../../shared/upload/byte-source.ts';
import { formOf, serveForm } from '../../community/files/forms/form-app.ts';
import { jsonFile, packageText, pluginForm } from '../../community/publishing/publish/form-parts.ts';
import { filesBelow, publishing } from '../../community/publishing/publish/publishing.ts';
import { BROKEN_MEDIA } from '../../fixtures/media/broken.ts';
import { jpeg } from '../../fixtures/media/files.ts';
import { BROKEN_PACKAGES } from '../../fixtures/packages/broken.ts';
import { testCommunity } from '../../support/community.ts';
import { smallDisk } from './support/small-disk.ts';

t.test('broken packages', async (t) => {
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
    IMAGE_DAMAGED: [422, 'IMAGE_DAMAGED'],
    IMAGE_TOO_LARGE: [413, 'IMAGE_TOO_LARGE'],
    IMAGE_TOO_MANY_PIXELS: [413, 'IMAGE_TOO_MANY_PIXELS'],
    VIDEO_FORMAT: [415, 'VIDEO_FORMAT'],
    VIDEO_DAMAGED: [422, 'VIDEO_DAMAGED'],
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
      const isNamed = head?.mime.startsWith('image/') !== true && !/\.(?:mp3|ts)$/.test(filename);
      const isMeant = isFilm || code.startsWith('IMAGE') || isNamed;
      const asPicture = head?.mime.startsWith('image/') ? 'IMAGE_DAMAGED' : 'IMAGE_FORMAT';
      const asMedia =
        isFilm && code.startsWith('IMAGE')
          ? []
          : [{ field: 'media', pointer: '/media/1', code: isMeant ? code : asPicture }];
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
});

t.test('full disk', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { sent, storedState } = publishing(community);
  await sent(pluginForm());

  t.test('no rows are written when the store is full at any file', async (t) => {
    const folder = openFolderStore(community.dataDir);
    const picture = await openPictures(folder).prepare({ content: await jpeg() });
    const before = await storedState();
    for (let fit = 0; fit <= picture.files.length; fit += 1) {
      let puts = 0;
      const files: FileStore = {
        ...folder,
        put: async () => {
          if (puts === fit) throw appError('STORAGE_FULL');
          puts += 1;
        },
      };
      const file = preparePackage(Buffer.from(packageText({}, 'full();')));
      const submission = {
        caller: { user_id: 7, role: 0, nick_name: 'Ada', avatar_url: '' } as const,
        snapshot: null,
        listing: () => ({
          default_lang: 'en-US' as const,
          name: { 'en-US': 'Full' },
          intro: { 'en-US': 'Fills it' },
          description: { 'en-US': 'It fills a disk' },
          tags: [],
          contact: 'full@example.com',
          support: '',
          copyright: { kind: 'author' as const, holder: '' },
          plugin_mark: '',
          icon_key: picture.picture.key,
          cover_key: null,
          panel_key: null,
          media: [],
        }),
        version: {
          version: '1.0.0',
          kind: 'new' as const,
          note: { 'en-US': 'First' },
          packageKey: file.file.key,
          packageBytes: 1,
          manifest: {},
          allowedDomains: [],
          hostRange: null,
          findings: [],
        },
        pictures: [picture],
        files: [file],
        findings: [],
      };
      const quotas = { limits: [], quotaBytes: 2 ** 30 };
      const submitting = { db: community.db, quotas, now: Date.now };
      await t.rejects(storeAndSubmit({ ...submitting, files, pictures: openPictures(files) }, submission), {
        code: 'STORAGE_FULL',
        statusCode: 507,
      });
    }
    t.strictSame(await storedState(), before);
  });

  const disk = await smallDisk(t, 400);
  if (disk !== undefined) {
    t.test('the disk is full while a form is received', async (t) => {
      const { send, left } = await serveForm(t, () => ({}), { dataDir: disk });
      const { status, json } = await send(formOf({ one: new Blob(['x'.repeat(900_000)]) }));
      t.equal(status, 507);
      t.hasStrict(json, { code: 'STORAGE_FULL', message: 'There is no space left to store this.' });
      t.strictSame(await left(), []);
      t.equal(
        (await send(formOf({ one: new Blob(['x'.repeat(100_000)]) }))).status,
        200,
        'a form that fits is accepted',
      );
    });

    t.test('the disk is full while files are stored', async (t) => {
      const full = await testCommunity(t, { publishers: 'members', dataDir: disk });
      const { send, storedState } = publishing(full);
      const icon = new File([new Uint8Array(await jpeg())], 'icon.jpg');
      const code = (name: string) =>
        jsonFile(packageText({}, `console.log('${name}');//${'z'.repeat(60_000)}\n`));
      t.equal((await send(pluginForm({ code: code('first'), icon }))).status, 200);
      const rows = (await storedState()).rows;
      // Space for the upload, but not for the stored files as well.
      const { bavail, bsize } = await statfs(disk);
      await writeFile(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - 92_000));
      const answer = await send(pluginForm({ code: code('second') }));
      t.hasStrict(answer, { status: 507, json: { code: 'STORAGE_FULL' } });
      t.strictSame((await storedState()).rows, rows);
      t.strictSame(await filesBelow(join(disk, 'uploads')), []);
      t.notOk(
        (await filesBelow(join(disk, 'files'))).some((name) => name.includes('/.')),
        'no drafts',
      );
      await writeFile(join(disk, 'ballast'), '');
      t.equal((await send(pluginForm({ code: code('second') }))).status, 200);
    });
  }
});
