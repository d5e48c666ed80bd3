import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { loadConfig } from '../../../server/config.ts';
import { openServicePool } from '../../../server/roles/service-pool.ts';
import { createClosing } from '../../../server/runtime/closing.ts';
import { assertListenable, localUrl } from '../../../server/runtime/listening.ts';
import { showStartupBanner } from '../../../server/runtime/startup-banner.ts';
import { send } from '../../support/browser.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { portOf } from '../../support/port.ts';
import { startProgram } from '../../support/program.ts';
import { startStub } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('roles', async (t) => {
  const LIST_MODULES = fileURLToPath(new URL('fixtures/list-modules.ts', import.meta.url));

  /** Own folders and packages that are loaded by a module of the server. */
  async function loadedBy(module: string): Promise<ReadonlySet<string>> {
    const { stdout } = await promisify(execFile)(process.execPath, [LIST_MODULES, module], {
      maxBuffer: 2 ** 24,
    });
    return new Set(stdout.trim().split('\n'));
  }

  /** Modules that a role must not load, because of start time and memory. */
  const WITHOUT: Readonly<Record<string, readonly string[]>> = {
    'main.ts': ['server/gateway', 'server/community', 'server/identity', 'pg', 'kysely', 'undici'],
    'roles/gateway.ts': ['server/community', 'server/identity', 'pg', 'kysely', 'sharp', 'ioredis', 'acorn'],
    'roles/gateway-processes.ts': ['server/community', 'server/identity', 'undici', 'pg', 'kysely'],
    'roles/identity.ts': [
      ...['server/community', 'sharp', 'ioredis', 'acorn', 'undici', 'nodemailer', 'piscina'],
      ...['@node-saml/node-saml', 'ldapts', 'openid-client'],
    ],
    'roles/community.ts': ['server/gateway', 'server/identity', 'ioredis', '@node-rs/argon2'],
  };

  for (const [module, absent] of Object.entries(WITHOUT)) {
    t.test(`${module} loads only the modules it needs`, async (t) => {
      const loaded = await loadedBy(module);
      t.ok(loaded.has('typebox') || loaded.has('jose'), 'the modules were listed');
      t.strictSame(
        absent.filter((name) => loaded.has(name)),
        [],
      );
    });
  }
});

t.test('listening', async (t) => {
  async function takePort(t: { teardown(work: () => void): void }) {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    t.teardown(() => void holder.close());
    return { holder, at: { host: '127.0.0.1', port: portOf(holder), setting: 'PORT' } };
  }

  t.test('a free port is accepted immediately', async (t) => {
    const { holder, at } = await takePort(t);
    holder.close();
    await once(holder, 'close');
    await t.resolves(assertListenable(at, 0));
  });

  t.test('a port that becomes free in time is waited for', async (t) => {
    const { holder, at } = await takePort(t);
    setTimeout(() => holder.close(), 300);
    await t.resolves(assertListenable(at, 3_600_000));
    t.notOk(holder.listening, 'not before');
  });

  t.test('a port that stays in use is a one-line error with the setting', async (t) => {
    const { at } = await takePort(t);
    await t.rejects(assertListenable(at, 250), {
      name: 'StartError',
      message: `Port ${at.port} on 127.0.0.1 is in use by another program. Stop it, or choose another port with PORT.`,
    });
  });

  t.test('an address of another machine fails immediately', async (t) => {
    // Would wait longer than any test if it waited at all.
    await t.rejects(assertListenable({ host: '192.0.2.1', port: 0, setting: 'HOST' }, 86_400_000), {
      message: 'The address 192.0.2.1 does not belong to this machine.',
    });
  });

  t.test('URL of a listening address on the same machine', async (t) => {
    for (const [host, url] of [
      ['127.0.0.1', 'http://127.0.0.1:8080'],
      ['0.0.0.0', 'http://127.0.0.1:8080'],
      ['::', 'http://[::1]:8080'],
      ['fd00::1', 'http://[fd00::1]:8080'],
      ['localhost', 'http://localhost:8080'],
    ] as const) {
      t.equal(localUrl({ host, port: 8080 }), url);
    }
  });
});

t.test('readiness', async (t) => {
  const NO_TAGS = 'ok\ndegraded: there are no tags to publish under or to browse by';

  /** Starts the program; `becomes` waits until `readyz` answers this. */
  async function start(t: Test, settings: Record<string, string>) {
    const program = await startProgram({ DATA_DIR: await testFolder(t), ...settings }, { t });
    const becomes = (text: string): Promise<number> =>
      until(async () => {
        const answer = await fetch(`${program.opsOrigin}/readyz`);
        return (await answer.text()) === text && answer.status;
      });
    return { url: program.origin, becomes };
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
    await pool.query(
      `insert into community.tag (code, name, position) values ('maps', '{"en-US":"Maps"}', 0)`,
    );
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
});

t.test('connections of a service', async (t) => {
  t.test('a service opens at most its number of connections', async (t) => {
    const { url } = await testDatabase(t, { name: 'few' });
    const log = pino({ level: 'silent' });
    const closing = createClosing(log);
    const config = loadConfig({ DATABASE_POOL: '3' });
    const pool = openServicePool(
      { config, log, registry: new Registry(), closing, degraded: new Map() },
      url,
      'identity',
    );
    await Promise.all(Array.from({ length: 9 }, () => pool.query('select pg_sleep(0.05)')));
    t.equal(pool.totalCount, 3);
    await closing.close();
  });
});

t.test('startup banner', async (t) => {
  /** Output and log, with and without a terminal. */
  function greeting(isTTY: boolean) {
    const printed: string[] = [];
    const logged: string[] = [];
    const terminal = { isTTY, write: (text: string) => printed.push(text) };
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(line) });
    return { printed, logged, out: { log, terminal } };
  }

  const NOTICE = {
    version: '1.2.3',
    address: 'http://localhost:8080/plugins/',
    firstTags: ['zh-CN', 'en-US'] as const,
  };

  t.test('the first start shows its tags on a terminal', async (t) => {
    const { printed, logged, out } = greeting(true);
    showStartupBanner(NOTICE, out);
    t.equal(
      printed.join(''),
      `
  Plugin Square 1.2.3 is at http://localhost:8080/plugins/

  There were no tags: a first set was added, with names in zh-CN, en-US
  Administrators change it in the backstage, under Tags

`,
    );
    t.strictSame(logged, []);
  });

  t.test('without a terminal the tags are not logged again', async (t) => {
    const { printed, logged, out } = greeting(false);
    showStartupBanner(NOTICE, out);
    t.strictSame(printed, []);
    t.strictSame(
      logged.map((line) => JSON.parse(line).msg),
      ['Plugin Square 1.2.3 is at http://localhost:8080/plugins/'],
    );
  });

  t.test('later starts do not mention tags', async (t) => {
    const { printed, out } = greeting(true);
    showStartupBanner({ version: '1.2.3', address: 'http://localhost:8080/plugins/' }, out);
    t.equal(printed.join(''), '\n  Plugin Square 1.2.3 is at http://localhost:8080/plugins/\n\n');
  });
});
