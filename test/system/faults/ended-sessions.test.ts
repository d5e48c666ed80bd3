import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openEndedSessions } from '../../../server/gateway/session/ended.ts';
import { createLog } from '../../../server/http/log.ts';
import { scriptPeople } from '../../conformance/users.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { spawnGateway } from '../../support/gateway-process.ts';
import { startStub } from '../../support/stub-upstream.ts';
import { until as when } from '../../support/until.ts';
import { smallDisk } from './support/small-disk.ts';

t.test('file of ended sessions', async (t) => {
  const HOUR = 3_600_000;
  const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

  type Test = { teardown(work: () => Promise<void>): void };

  /** Ended sessions with one file; opening it again simulates a restart. */
  function fileIn(t: Test, folder: string) {
    const path = join(folder, 'ended-sessions');
    let text = '';
    const destination = {
      write: (line: string) => {
        text += line;
      },
    };
    const log = createLog({ level: 'info', version: 'test', destination });
    async function open(limit?: number) {
      const ended = await openEndedSessions({ path, log, now: Date.now, ...(limit && { limit }) });
      t.teardown(ended.close);
      return ended;
    }
    const said = (words: string): number => text.split(words).length - 1;
    return { path, open, said, content: () => readFile(path, 'utf8') };
  }

  t.test('ended sessions are known after a restart, stored as hashes', async (t) => {
    const { open, content, path } = fileIn(t, join(t.testdir(), 'made', 'when-needed'));
    const first = await open();
    const until = Date.now() + HOUR;
    await first.add('id:a', 0, until);
    await first.add('sub:7', 2000, until);
    await first.add('sub:7', 1000, until - 10);
    await first.add('sid:x', 3000.5, until + 0.5);
    await first.add('id:short', 0, Date.now() + 30);
    t.equal((await stat(path)).mode & 0o777, 0o600);
    await when(() => first.at('id:short') === undefined);

    const second = await open();
    t.equal(second.at('id:a'), 0);
    t.equal(second.at('sub:7'), 2000, 'the latest logout counts');
    t.equal(second.at('sid:x'), 3001);
    t.equal(second.at('id:short'), undefined, 'not longer than necessary');
    t.equal(second.at('id:b'), undefined);
    t.strictSame((await content()).split('\n').sort(), [
      '',
      ...[
        `${hashOf('id:a')} 0 ${until}`,
        `${hashOf('sub:7')} 2000 ${until}`,
        `${hashOf('sid:x')} 3001 ${until + 1}`,
      ].sort(),
    ]);
  });

  t.test('an incomplete last line and invalid lines are ignored', async (t) => {
    const { open, path, content } = fileIn(t, t.testdir());
    const until = Date.now() + HOUR;
    const line = (key: string): string => `${hashOf(key)} 0 ${until}`;
    const torn = line('id:torn').slice(0, -3);
    await writeFile(path, `${line('id:a')}\nnot a line\n\0\0\0\n${line('id:b')}\n${torn}`);
    const first = await open();
    t.equal(first.at('id:a'), 0);
    t.equal(first.at('id:b'), 0);
    t.equal(first.at('id:torn'), undefined, 'this one was never acknowledged');
    await first.add('id:c', 0, until);
    t.equal(await content(), `${line('id:a')}\n${line('id:b')}\n${line('id:c')}\n`);
  });

  t.test('the file is compacted when it has grown', async (t) => {
    const { open, content } = fileIn(t, t.testdir());
    const until = Date.now() + HOUR;
    const ended = await open(3);
    for (let round = 0; round < 3; round += 1) {
      const adding = Array.from({ length: 6000 }, (_none, index) => ended.add(`id:${index % 5}`, 0, until));
      await Promise.all(adding);
    }
    t.ok((await content()).split('\n').length <= 10_000 + 2 * 3 + 1, 'far from 18,000 lines');
    const again = await open(3);
    t.equal((await content()).split('\n').length, 3 + 1);
    t.strictSame(
      [0, 1, 2, 3, 4].filter((index) => again.at(`id:${index}`) === 0),
      [2, 3, 4],
      'the oldest are removed first',
    );
  });

  t.test('a stopping process appends to the file of its successor', async (t) => {
    const { open } = fileIn(t, t.testdir());
    const until = Date.now() + HOUR;
    const former = await open();
    await former.add('id:before', 0, until);
    const successor = await open();
    await former.add('id:during', 0, until);
    await successor.add('id:after', 0, until);
    const next = await open();
    for (const key of ['id:before', 'id:during', 'id:after']) t.equal(next.at(key), 0, key);
  });

  t.test('a folder that is not writable: logged once, kept in memory, written later', async (t) => {
    const { open, path, said, content } = fileIn(t, t.testdir());
    const until = Date.now() + HOUR;
    await mkdir(`${path}.draft`);
    const ended = await open();
    await ended.add('id:a', 0, until);
    await ended.add('id:b', 0, until);
    t.equal(ended.at('id:a'), 0, 'ended while the process runs');
    t.equal(said('storing ended sessions failed: a restart would lose them'), 1);
    await rm(`${path}.draft`, { recursive: true });
    await ended.add('id:c', 0, until);
    t.equal(said('ended sessions are stored durably again'), 1);
    const lines = ['id:a', 'id:b', 'id:c'].map((key) => `${hashOf(key)} 0 ${until}\n`);
    t.equal(await content(), lines.join(''));
  });

  t.test('an unreadable file stops the start', async (t) => {
    const { open, path } = fileIn(t, t.testdir());
    await mkdir(path);
    await t.rejects(open(), { message: `${path} cannot be read` });
  });

  const disk = await smallDisk(t, 1000);
  t.test('a full disk', { skip: disk === undefined && 'this user may mount no small disk' }, async (t) => {
    if (disk === undefined) return;
    const { open, said, content } = fileIn(t, disk);
    const until = Date.now() + HOUR;
    const ended = await open();
    await ended.add('id:before', 0, until);
    const before = await content();
    const ballast = join(disk, 'ballast');
    const { bavail, bsize } = await statfs(disk);
    await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
    const keys = Array.from({ length: 2000 }, (_none, index) => `id:${index}`);
    await Promise.all(keys.map((key) => ended.add(key, 0, until)));
    t.equal(said('storing ended sessions failed: a restart would lose them'), 1);
    t.ok((await content()).startsWith(before), 'durable entries stay durable');
    await rm(ballast);
    await when(() => said('ended sessions are stored durably again') === 1);
    const next = await open();
    t.strictSame(
      ['id:before', ...keys].filter((key) => next.at(key) !== 0),
      [],
      'retried without another sign-out',
    );
  });
});

t.test('sign out restart', async (t) => {
  const INSTALL = '/api/cmt/plugin/user';
  const install = (browser: Browser) => browser.call(INSTALL, { method: 'POST', body: '{}' });

  t.test('an acknowledged sign-out survives kill -9', async (t) => {
    const [upstream, identity] = [await startStub(t), await startStub(t)];
    scriptPeople(identity);
    upstream.on(`POST ${INSTALL}`, () => ({}));
    const dataDir = t.testdir();
    const settings = {
      PUBLIC_URL: 'http://localhost:8080',
      COMMUNITY_URL: upstream.url,
      IDENTITY_URL: identity.url,
      DATA_DIR: dataDir,
      RATE_LIMIT_FACTOR: '0',
    };
    const replays: [string, string][][] = [];
    for (const person of [1, 2, 3]) {
      const gateway = await spawnGateway(settings);
      for (const cookies of replays) {
        const replaying = openBrowser(gateway.url, settings.PUBLIC_URL);
        for (const [name, value] of cookies) replaying.cookies.set(name, value);
        t.equal((await install(replaying)).json().code, 'SESSION_ENDED');
      }
      const browser = openBrowser(gateway.url, settings.PUBLIC_URL);
      await browser.signIn({ code: `person-${person}` });
      t.equal((await install(browser)).status, 200);
      replays.push([...browser.cookies]);
      t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 200);
      process.kill(gateway.pid, 'SIGKILL');
      await gateway.stop();
    }
    const file = join(dataDir, 'ended-sessions');
    t.equal((await stat(file)).mode & 0o777, 0o600, 'only its owner can read it');
    t.match(await readFile(file, 'utf8'), /^(?:[\w-]{43} \d+ \d+\n){3}$/, 'hashes and times alone');
  });
});
