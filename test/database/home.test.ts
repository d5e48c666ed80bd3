import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openHome } from '../../server/database/embedded/home.ts';

const ROOT = { name: 'root', uid: 0, gid: 0 };
const SOMEONE = { name: 'someone', uid: 12_345, gid: 12_345 };
const { username, uid, gid } = userInfo();
const SELF = { name: username, uid, gid };

/** A data folder and a staging folder. */
function folders(t: Test): { data: string; staging: string; root: string } {
  const root = t.testdir({ data: {}, staging: {} });
  return { root, data: join(root, 'data'), staging: join(root, 'staging') };
}

t.test('started by root, the database is outside the data folder and belongs to another user', async (t) => {
  const { data, staging } = folders(t);
  const home = openHome(data, ROOT, staging);
  t.match(home.dir, new RegExp(`^${staging}/[0-9a-f]{12}-[0-9a-f]{6}$`));
  t.ok(['postgres', 'nobody'].includes(home.account.name));
  t.ok(home.staged);
  t.equal(openHome(data, ROOT, staging).dir, home.dir, 'and is found again');
});

t.test('a data folder that was moved keeps its database', async (t) => {
  const { root, data, staging } = folders(t);
  const { dir } = openHome(data, ROOT, staging);
  renameSync(data, join(root, 'moved'));
  t.equal(openHome(join(root, 'moved'), ROOT, staging).dir, dir);
});

t.test('a data folder that was copied does not share the database of the original', async (t) => {
  const { root, data, staging } = folders(t);
  const { dir } = openHome(data, ROOT, staging);
  const copy = join(root, 'copy');
  cpSync(data, copy, { recursive: true });
  t.throws(() => openHome(copy, ROOT, staging), {
    name: 'StartError',
    message: /copy is a copy of .*data, and/,
  });
  t.equal(openHome(data, ROOT, staging).dir, dir);
});

t.test('a data folder that was deleted and created again starts with an empty database', async (t) => {
  const { data, staging } = folders(t);
  const { dir } = openHome(data, ROOT, staging);
  rmSync(data, { recursive: true });
  mkdirSync(data);
  t.not(openHome(data, ROOT, staging).dir, dir);
  t.ok(existsSync(dir), 'and the old database is not deleted');
});

t.test('started by another user, the database is in the data folder', async (t) => {
  const { data, staging } = folders(t);
  t.strictSame(openHome(data, SOMEONE, staging), {
    dir: join(data, 'database'),
    account: SOMEONE,
    staged: false,
  });
});

t.test('a database that root created is refused for other users', async (t) => {
  const { data, staging } = folders(t);
  const { dir } = openHome(data, ROOT, staging);
  t.throws(() => openHome(data, SOMEONE, staging), {
    name: 'StartError',
    message: `was created by root in ${dir}`,
  });
});

t.test('a database of another user is refused', async (t) => {
  const { data, staging } = folders(t);
  openHome(data, SELF.uid === 0 ? SOMEONE : SELF, staging);
  t.throws(() => openHome(data, { ...SOMEONE, uid: 54_321 }, staging), {
    name: 'StartError',
    message: new RegExp(`belongs to the user with id ${uid}\\.`),
  });
});
