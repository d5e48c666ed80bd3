import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { send } from '../support/browser.ts';
import { testFolder } from '../support/community.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/port.ts';
import { startStub } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';

const PROGRAM = join(import.meta.dirname, '../../server/main.ts');
const NO_TAGS = 'ok\ndegraded: there are no tags to publish under or to browse by';

/** Starts the program; `readyz` waits until it answers this. */
async function start(t: Test, settings: Record<string, string>) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const env = { PATH: process.env.PATH, DATA_DIR: await testFolder(t), ...settings };
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...env, PORT: String(port), OPS_PORT: String(opsPort) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ask = () =>
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      async (answer) => [answer.status, await answer.text()] as const,
      () => [0, ''] as const,
    );
  const becomes = (text: string): Promise<number> =>
    until(async () => {
      const [status, found] = await ask();
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
      return found === text && status;
    });
  return { url: `http://localhost:${port}`, becomes };
}

t.test('a separate community service is ready without tags, and reports them as missing', async (t) => {
  const { url, pool } = await testDatabase(t, { name: 'readyz' });
  const { becomes } = await start(t, {
    ROLE: 'community',
    DATABASE_URL: url,
    IDENTITY_URL: 'http://127.0.0.1:9',
  });
  t.equal(await becomes('ok'), 200);
  await pool.query('delete from community.tag');
  t.equal(await becomes(NO_TAGS), 200);
  await pool.query(`insert into community.tag (code, name, position) values ('maps', '{"en-US":"Maps"}', 0)`);
  t.equal(await becomes('ok'), 200);
});

t.test(
  'a gateway of an external community service reports missing tags when it has read the list',
  async (t) => {
    const community = await startStub(t);
    community.on('GET /api/cmt/plugin/tag/list', () => ({ tag_list: [] }));
    const { url, becomes } = await start(t, {
      ROLE: 'gateway',
      COMMUNITY_URL: community.url,
      IDENTITY_URL: 'http://127.0.0.1:9',
    });
    t.equal(await becomes('ok'), 200);
    await send(url, '/api/cmt/plugin/tag/list', { headers: { 'x-requested-with': 'plugin-square' } });
    t.equal(await becomes(NO_TAGS), 200);
  },
);
