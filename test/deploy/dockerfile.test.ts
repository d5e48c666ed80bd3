import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { programEnvironment } from '../../server/launch/node.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** Instructions with their continued lines joined; comments left out. */
function instructions(): [name: string, rest: string][] {
  return read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

function lastStage(): [string, string][] {
  const all = instructions();
  return all.slice(all.findLastIndex(([name]) => name === 'FROM'));
}

t.test('the syntax is supported by classic builders', async (t) => {
  const text = read('Dockerfile');
  t.notMatch(text, /<<-?['"]?\w/, 'no heredoc');
  t.notMatch(text, /--mount=|--link\b|^# *syntax=/m, 'nothing of one builder alone');
  t.match(text, /^FROM docker\.io\/library\/node:24-bookworm-slim\$\{NODE_DIGEST\} AS base$/m);
  const stages = instructions().filter(([name]) => name === 'FROM');
  const named = stages.map(([, rest]) => rest.split(' AS ')[1]);
  const outside = stages.filter(([, rest]) => !named.includes(rest.split(' ')[0]));
  t.equal(outside.length, 1, 'one image from outside');
});

t.test('no package runs an install script in the image build', async (t) => {
  const installs = instructions().flatMap(([, rest]) => rest.match(/npm (?:ci|install)[^&]*/g) ?? []);
  t.equal(installs.length, 2);
  for (const install of installs) t.match(install, '--ignore-scripts');
  t.match(installs[1], '--omit=dev');
});

t.test('the program runs as an ordinary user and as process 1, and has a health check', async (t) => {
  const stage = new Map(lastStage());
  t.equal(stage.get('USER'), 'node');
  t.equal(stage.get('ENTRYPOINT'), '["node"]');
  t.equal(stage.get('CMD'), '["server/main.ts"]');
  t.equal(stage.get('STOPSIGNAL'), 'SIGTERM');
  t.equal(stage.get('VOLUME'), '/data');
  t.match(stage.get('HEALTHCHECK'), /CMD \["node", "-e", ".*\/readyz.*"\]$/);
  for (const label of ['title', 'version', 'revision', 'created', 'licenses']) {
    t.match(stage.get('LABEL'), `org.opencontainers.image.${label}=`);
  }
});

t.test('the program has the memory settings of the launcher', async (t) => {
  const { NODE_COMPILE_CACHE: _ofTheCheckout, ...settings } = programEnvironment('/srv/square', {});
  const given = String(new Map(lastStage()).get('ENV')).split(' ');
  for (const [name, value] of Object.entries(settings)) t.ok(given.includes(`${name}=${value}`), name);
});

t.test('copied files exist and are not ignored', async (t) => {
  const ignore = read('.dockerignore').split('\n');
  t.equal(ignore[0], '*', 'files are ignored by default');
  const copied = instructions()
    .filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(([, rest]) => rest.split(' ').slice(0, -1));
  for (const path of copied) {
    t.ok(existsSync(new URL(path, ROOT)), path);
    const named = ignore.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`));
    t.ok(named, `${path} passes .dockerignore`);
  }
});
