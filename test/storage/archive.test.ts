import { fileURLToPath } from 'node:url';
import t from 'tap';
import { collect, readArchive } from '../../server/storage/archive.ts';

const ENTRIES = [
  [`files/${'a'.repeat(120)}.json`, '{"text":"插件"}\n'],
  ['empty', ''],
];

for (const name of ['gnu-tar-gnu', 'gnu-tar-pax', 'bsdtar-gnutar', 'bsdtar-pax']) {
  t.test(`an archive that was packed again is read: ${name}`, async (t) => {
    const file = fileURLToPath(new URL(`../fixtures/archives/${name}.tar`, import.meta.url));
    const read: string[][] = [];
    const end = await readArchive({ file, kind: 'backup' }, async (entry) => {
      read.push([entry.name, (await collect(entry.pieces)).toString()]);
    });
    t.strictSame(read, ENTRIES);
    t.strictSame(end, { sha256: '0404a2fc5f43c2ecd3b39f313040222d85dca28a633a50ca5a747b22a97d677b' });
  });
}
