import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Counter, Registry } from 'prom-client';
import t from 'tap';
import { createLog } from '../../server/http/log.ts';
import { createOps } from '../../server/http/ops.ts';

t.test('log', async (t) => {
  const ROOT = join(import.meta.dirname, '../..');
  const FIXTURE = join(import.meta.dirname, 'fixtures/log-and-exit.ts');

  function collectingLog() {
    let written = '';
    const destination = {
      write: (line: string) => {
        written += line;
      },
    };
    return { log: createLog({ level: 'info', version: '1.2.3', destination }), written: () => written };
  }

  t.test('a line has time, level and version', async (t) => {
    const { log, written } = collectingLog();
    log.warn({ status: 200 }, 'hello');
    t.match(JSON.parse(written()), {
      time: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      level: 'warn',
      version: '1.2.3',
      status: 200,
      msg: 'hello',
    });
  });

  t.test('of an error only what tells of the fault is written', async (t) => {
    const { log, written } = collectingLog();
    const cause = Object.assign(new Error('socket closed'), { code: 'ECONNRESET', body: 'CANARY' });
    const request = { headers: { authorization: 'Bearer CANARY' } };
    const error = Object.assign(new Error('call failed', { cause }), { request, access_token: 'CANARY' });
    log.error({ err: error }, 'failed');
    log.error({ err: 'CANARY' }, 'failed');
    t.hasStrict(JSON.parse(written().split('\n', 1)[0] ?? ''), {
      err: { type: 'Error', message: 'call failed', cause: { code: 'ECONNRESET', message: 'socket closed' } },
    });
    t.notMatch(written(), 'CANARY');
  });

  /**
   * Every name a log line may have, and the objects spread into one (`bytes`, `names`, `fields`). Before you add one,
   * check that its content may be logged.
   */
  const KNOWN = new Set(
    `account action actor_id address allowed attempts by bytes bytes_in bytes_out cache changes client_aborted client_id code count csrf delete_at
  detail details duration_ms email ended err event fields file first_byte_ms found from id is_new issuer key kid kind limit line lines method
  migrations name names operation password_file pictures pid playground plugin policy port reason refresh reqId role route schema service session sid site
  signal source sources status sub tested to total_ms traceparent tries upstream user user_id`.split(/\s+/),
  );

  const CALL = /\blog\.(?:trace|debug|info|warn|error|fatal)\(\s*(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/g;
  const NAME = /(?:^|[,{])\s*(?:\.\.\.\(?(?:[^,{}]*&& )?\{?\s*)?(\w+)\s*(?=[:,}])/g;

  function fieldNames(source: string): string[] {
    return [...source.matchAll(CALL)].flatMap(([, fields = '']) =>
      [...fields.matchAll(NAME)].map(([, name = '']) => name),
    );
  }

  function sources(): [file: string, source: string][] {
    return globSync('server/**/*.ts', { cwd: ROOT }).map((file) => [
      file,
      readFileSync(join(ROOT, file), 'utf8'),
    ]);
  }

  t.test('what is logged is named, and every name is a known one', async (t) => {
    t.strictSame(fieldNames("log.info({ event: 'x', ...(a && { password }), session }, 'm')"), [
      'event',
      'password',
      'session',
    ]);
    const names = sources().flatMap(([file, source]) => fieldNames(source).map((name) => `${file} ${name}`));
    t.ok(names.length > 30, 'the log calls were found');
    t.strictSame(
      names.filter((name) => !KNOWN.has(name.split(' ')[1] ?? '')),
      [],
    );
  });

  t.test('no whole request, answer, header or body is handed to the log', async (t) => {
    const whole = /\blog\.\w+\([^;]*\b(?:headers|cookies?|body|rawPacket|query|req|res)\b\s*[,:}]/;
    t.strictSame(
      sources().flatMap(([file, source]) => (whole.test(source) ? [file] : [])),
      [],
    );
  });

  for (const end of ['exit', 'throw']) {
    t.test(`no line is lost when the program ends by ${end}`, async (t) => {
      const child = spawn(process.execPath, [FIXTURE, '5000', end], { stdio: ['ignore', 'pipe', 'ignore'] });
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      t.equal(lines.length, 5000);
      t.equal(JSON.parse(lines.at(-1) ?? '').status, 4999);
    });
  }

  /** What the program writes last. */
  const LAST = { crash: 'uncaught error', SIGTERM: 'closing', SIGINT: 'closing', SIGHUP: 'closing' };
  for (const [end, msg] of Object.entries(LAST)) {
    t.test(`no line is lost when the program ends by ${end}`, async (t) => {
      const child = spawn(process.execPath, [FIXTURE, '5000', end], { stdio: ['ignore', 'pipe', 'ignore'] });
      t.teardown(() => child.kill('SIGKILL'));
      const exited = once(child, 'exit');
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      t.strictSame(await exited, [end === 'crash' ? 1 : 0, null]);
      t.equal(lines.length, 5001);
      t.equal(JSON.parse(lines.at(-2) ?? '').status, 4999);
      t.equal(JSON.parse(lines.at(-1) ?? '').msg, msg);
    });
  }

  t.test('a single line does not wait for others', async (t) => {
    const child = spawn(process.execPath, [FIXTURE, '1', 'wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
    t.teardown(() => child.kill());
    const [chunk] = await once(child.stdout, 'data');
    t.match(String(chunk), '"status":0');
  });
});

t.test('operations port', async (t) => {
  t.test('alive, ready, and the figures', async (t) => {
    const registry = new Registry();
    new Counter({ name: 'things_total', help: 'Things', registers: [registry] }).inc(3);
    let isReady = false;
    const app = createOps({
      log: createLog({ level: 'silent', version: 'test' }),
      registry,
      version: '1.2.3',
      ready: () => isReady,
    });
    t.teardown(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const status = async (path: string) => (await fetch(url + path)).status;

    const alive = await fetch(`${url}/livez`);
    t.strictSame([alive.status, await alive.text()], [200, 'ok\nversion: 1.2.3']);
    t.equal(await status('/readyz'), 503);
    isReady = true;
    t.equal(await status('/readyz'), 200);
    t.equal(await status('/other'), 404);
    const metrics = await fetch(`${url}/metrics`);
    t.match(metrics.headers.get('content-type'), 'text/plain');
    t.match(await metrics.text(), 'things_total 3');
  });

  t.test('what is missing is told with the answer, and takes nobody out of service', async (t) => {
    const missing: string[] = [];
    let isReady = true;
    const app = createOps({
      log: createLog({ level: 'silent', version: 'test' }),
      registry: new Registry(),
      version: '1.2.3',
      ready: () => isReady,
      degraded: () => missing,
    });
    t.teardown(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const readyz = async () => {
      const answer = await fetch(`${url}/readyz`);
      return [answer.status, await answer.text()];
    };
    t.strictSame(await readyz(), [200, 'ok']);
    missing.push('there are no tags', 'something else');
    t.strictSame(await readyz(), [200, 'ok\ndegraded: there are no tags\ndegraded: something else']);
    isReady = false;
    t.hasStrict(await readyz(), [503]);
  });
});
