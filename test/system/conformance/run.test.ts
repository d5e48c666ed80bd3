import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { checks } from '../../conformance/checks.ts';
import { startGateway } from '../../support/gateway.ts';
import { startStub } from '../../support/stub-upstream.ts';

const PROGRAM = fileURLToPath(new URL('../../conformance/run.ts', import.meta.url));

type Ended = { code: number; stdout: string; stderr: string };

async function run(...words: string[]): Promise<Ended> {
  const ended = promisify(execFile)(process.execPath, [PROGRAM, ...words]);
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

t.test('--help and --list', async (t) => {
  const help = await run('--help');
  t.equal(help.code, 0);
  t.match(help.stdout, /--base-url URL/);
  t.match(help.stdout, /--upstream-port N/);
  const list = await run('--list');
  t.equal(list.stdout.trim().split('\n').length, checks.length);
  t.match(list.stdout, /^R 9\.1: auth cookies/);
});

t.test('a wrong option ends with 2 and a sentence', async (t) => {
  for (const [words, sentence] of [
    [['--only', '99'], /No check is called 99/],
    [['--base-url', 'square'], /--base-url must be an http or https address/],
    [['--base-url', 'http://localhost', '--upstream-port', '0'], /--upstream-port must be a port/],
    [['--base-url', 'http://localhost', '--header', 'x'], /--header must be/],
    [['--unknown'], /Unknown option '--unknown'/],
  ] as const) {
    const ended = await run(...words);
    t.equal(ended.code, 2, words.join(' '));
    t.match(ended.stderr, sentence);
  }
});

t.test('a gateway that runs already, its services on the given ports', async (t) => {
  const [upstream, identity] = [await startStub(t), await startStub(t)];
  const gateway = await startGateway(t, {
    now: Date.now,
    upstreams: { community: upstream.url, helpcenter: upstream.url, identity: identity.url },
  });
  await upstream.stop();
  await identity.stop();
  const ended = await run(
    ...['--base-url', gateway.url, '--public-url', gateway.publicUrl, '--json'],
    ...['--upstream-port', String(upstream.port), '--identity-port', String(identity.port)],
    ...['--only', 'R 9.11', '--only', 'R 9.16', '--only', 'R 9.22'],
  );
  t.equal(ended.code, 0, ended.stdout + ended.stderr);
  const { passed, failed, not_seen, results } = JSON.parse(ended.stdout);
  t.strictSame([passed, failed, not_seen], [2, 0, 1]);
  t.match(results[2].reason, /needs a gateway started with SESSION_IDLE=1h/);
});
