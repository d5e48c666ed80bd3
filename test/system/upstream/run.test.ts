import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { addPlugin } from '../../community/add-plugin.ts';
import { testCommunity } from '../../support/community.ts';
import { portOf } from '../../support/port.ts';
import { startSpecCommunity } from '../../support/spec-community.ts';
import { startStub, stubAnswer } from '../../support/stub-upstream.ts';
import type { Finding } from '../../upstream/try-calls.ts';

const PROGRAM = fileURLToPath(new URL('../../upstream/run.ts', import.meta.url));

type Ended = { code: number; stdout: string; stderr: string };
type Report = { whole: number; standing_in: number; broken: number; not_tried: number; findings: Finding[] };

async function run(...words: string[]): Promise<Ended> {
  return promisify(execFile)(process.execPath, [PROGRAM, ...words]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

async function found(...words: string[]): Promise<Report & { code: number }> {
  const { code, stdout, stderr } = await run(...words, '--json');
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

const broken = ({ findings }: Report): Finding[] =>
  findings.filter(({ lacks }) => lacks.some(({ required }) => required));
const of = ({ findings }: Report, call: string): Finding | undefined =>
  findings.find((one) => one.call === call);

t.test('--help, and invalid options', async (t) => {
  const help = await run('--help');
  t.equal(help.code, 0);
  t.match(help.stdout, /--base-url URL/);
  t.match(help.stdout, /Nothing is changed at the service without --changes/);
  for (const [words, sentence] of [
    [[], /--base-url must be an http or https address/],
    [['--base-url', 'ftp://x'], /--base-url must be/],
    [['--base-url', 'http://x', '--changes'], /--changes needs a --token/],
    [['--base-url', 'http://x', '--timeout', '0'], /--timeout must be seconds/],
    [['--destroy'], /Unknown option '--destroy'/],
  ] as const) {
    const ended = await run(...words);
    t.equal(ended.code, 2, words.join(' '));
    t.match(ended.stderr, sentence);
  }
});

t.test('our own community service has no defects', async (t) => {
  const community = await testCommunity(t);
  await addPlugin(community.db, { key: 'grid-maker', tags: [] });
  const visitor = await found('--base-url', community.url);
  t.equal(visitor.code, 0);
  t.strictSame(
    visitor.findings.filter(({ lacks }) => lacks.length > 0),
    [],
  );
  t.match(of(visitor, 'GET /api/cmt/plugin')?.untried, undefined, 'a plugin was read');
  t.match(of(visitor, 'GET /api/cmt/manager/verify')?.untried, /refused without a token/);

  const { authorization } = await community.bearer(7, 1);
  const chief = await found(
    '--base-url',
    `${community.url}/`,
    '--token',
    authorization.slice(7),
    '--changes',
  );
  t.strictSame(
    chief.findings.filter(({ lacks }) => lacks.length > 0),
    [],
  );
  t.equal(chief.code, 0);
  t.ok(chief.whole > visitor.whole + 10, `${chief.whole} calls`);
});

t.test('a service with only the required calls has no required defects (R 14.54)', async (t) => {
  const { stub, liked, installed } = await startSpecCommunity(t);
  const visitor = await found('--base-url', stub.url);
  t.strictSame(broken(visitor), []);
  t.equal(visitor.code, 0);
  t.match(of(visitor, 'GET /api/cmt/plugin/list')?.lacks, [
    { kind: 'missing field', required: false, place: 'total_estimated', text: 'is missing' },
    { kind: 'wrong type', required: false, place: 'plugin_list[].plugin_key', text: /is 10000 .*understood/ },
  ]);
  t.hasStrict(of(visitor, 'GET /api/cmt/plugin/version/list')?.lacks, [
    { kind: 'missing call', required: false, place: '', text: 'answers 404' },
  ]);
  t.strictSame(
    stub.requests.filter(({ method }) => method !== 'GET'),
    [],
    'nothing is changed without --changes',
  );

  const read = await found('--base-url', stub.url, '--token', 'admin');
  t.strictSame(broken(read), []);
  t.strictSame(
    stub.requests.filter(({ method }) => method !== 'GET'),
    [],
    'nothing is changed with a token alone',
  );
  const changed = await found('--base-url', stub.url, '--token', 'user', '--changes', '--plugin-key', 'p2');
  t.strictSame(broken(changed), []);
  t.strictSame([liked('user'), installed('user')], [[], []], 'changes are undone');
  t.equal(stub.seen('POST /api/cmt/plugin/user/praise').length, 2);
  t.ok(stub.requests.every(({ method, path }) => method !== 'DELETE' || path === '/api/cmt/plugin/user'));
});

t.test('defects are reported for each call, with exit status 1', async (t) => {
  const { stub } = await startSpecCommunity(t);
  const whole = (data: unknown) => stubAnswer(200, { code: 0, data });
  stub.on('GET /api/cmt/plugin/tag/list', () => whole({ tags: [] }));
  stub.on('GET /api/cmt/plugin/recommendation/list', () =>
    whole({ plugin_list: [{ name: 'No key', icon: {} }] }),
  );
  stub.on('GET /api/cmt/plugin-banner/all', () => stubAnswer(404, '<h1>'));
  stub.on('GET /api/cmt/activity/activity/info', () => whole({ view_num: 1 }));
  stub.on('GET /api/cmt/manager/verify', () => whole({ role: 1 }));
  const report = await found('--base-url', stub.url);
  t.equal(report.code, 1);
  const required = (call: string) => of(report, call)?.lacks.filter((lack) => lack.required);
  t.strictSame(required('GET /api/cmt/plugin/tag/list'), [
    { kind: 'missing field', required: true, place: 'tag_list', text: 'is missing' },
  ]);
  t.strictSame(required('GET /api/cmt/plugin/recommendation/list'), [
    { kind: 'missing field', required: true, place: 'plugin_list[].plugin_key', text: 'is missing' },
  ]);
  t.strictSame(required('GET /api/cmt/plugin-banner/all'), [
    { kind: 'missing call', required: true, place: '', text: 'answers 404' },
  ]);
  t.strictSame(required('GET /api/cmt/activity/activity/info'), [
    { kind: 'wrong code', required: true, place: 'code', text: 'is 0 instead of 200' },
  ]);
  t.match(required('GET /api/cmt/manager/verify'), [{ kind: 'wrong status', text: /200 without a token/ }]);
  t.equal(broken(report).length, 5);
  const { stdout, code } = await run('--base-url', stub.url);
  t.equal(code, 1);
  t.match(stdout, '✗ GET /api/cmt/plugin/tag/list\n    required, missing field: tag_list is missing');
  t.match(stdout, /5 broken/);
});

t.test('a hostile service can neither block it nor write control characters', async (t) => {
  const stub = await startStub(t);
  stub.on('GET /api/cmt/plugin/list', () => new Promise(() => undefined));
  stub.on('GET /api/cmt/plugin/tag/list', (_seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  });
  stub.on('GET /api/cmt/plugin-banner/all', () => stubAnswer(200, Buffer.from([0, 255, 27, 91, 50, 74])));
  stub.on('GET /api/cmt/plugin/recommendation/list', () => stubAnswer(200, { code: '\u001b[2J', data: [] }));
  stub.on('GET /api/cmt/qr-code/contact', () => stubAnswer(302, '', { location: 'http://169.254.169.254/' }));
  stub.on('GET /api/cmt/community/featured', (_seen, response) => void response.destroy());
  const { code, stdout } = await run('--base-url', stub.url, '--timeout', '10');
  t.equal(code, 1);
  t.match(stdout, /plugin\/list\n {4}required, no answer: the answer did not arrive within 10 s/);
  t.match(stdout, /tag\/list\n {4}required, no answer: the answer is larger than 8 MiB/);
  t.match(stdout, /plugin-banner\/all\n {4}required, no answer: the body is no JSON object/);
  t.match(stdout, /contact\n {4}required, wrong status: answers 302 instead of 200/);
  t.match(stdout, /featured\n {4}required, no answer: the answer did not arrive or was cut off/);
  t.notOk(stdout.includes('\u001b'));
});

t.test('without a service every call is reported', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${portOf(server)}`;
  await new Promise((resolve) => server.close(resolve));
  const report = await found('--base-url', url);
  t.equal(report.code, 1);
  t.equal(report.whole, 0);
});
