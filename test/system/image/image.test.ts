/** Builds the image with docker or buildah, whichever is available, and runs it. */
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { testServer } from '../../support/postgres-server.ts';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { SERVICE_KEYS_SETTING } from '../../support/service-keys.ts';
import { type Container, startContainer } from './container.ts';
import { buildImage, type Engine, findEngine, hasImage, IMAGE, imageBytes, imageConfig } from './engine.ts';
import { insideAddress } from './inside-address.ts';
import { makeStandInBase } from './stand-in-base.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const BASE = 'docker.io/library/node:24-bookworm-slim';
/** 456 MB as it is, and a tenth of room. */
const BYTES_MAX = 500_000_000;
const PROGRAMS = ['gcc', 'cc', 'make', 'python3', 'curl', 'wget'];
const SOURCES = ['*.test.ts', 'tsconfig*.json', 'Dockerfile', '.git', 'vite.config.*'];

t.setTimeout(0);
const engine = findEngine();
const skip =
  (engine === undefined && notInstalled('Docker or buildah', 'buildah')) ||
  (engine !== undefined &&
    !hasImage(engine, BASE) &&
    !installedProgram('debootstrap') &&
    notInstalled('debootstrap', 'debootstrap'));
if (engine === undefined || skip) {
  t.test('the image', { skip }, async () => undefined);
} else {
  build(engine);
  t.test('the settings of the image', async (t) => settingsAreRight(t, engine));
  t.test('everything in one process', { timeout: 0 }, async (t) => runsWhole(t, engine));
  t.test('each role in its own container', { timeout: 0 }, async (t) => runsRoles(t, engine));
}

function build(engine: Engine): void {
  if (!hasImage(engine, BASE)) {
    t.comment('the base image cannot be pulled: a replacement is created');
    makeStandInBase(engine, BASE);
  }
  buildImage(engine, ROOT, IMAGE);
}

function settingsAreRight(t: Test, engine: Engine): void {
  const config = imageConfig(engine, IMAGE);
  t.hasStrict(config, {
    User: '1000',
    Entrypoint: ['node'],
    Cmd: ['server/main.ts'],
    StopSignal: 'SIGTERM',
  });
  t.hasStrict(config.Labels, { 'org.opencontainers.image.licenses': 'Apache-2.0' });
  for (const label of ['title', 'version', 'revision', 'created'])
    t.type(config.Labels[`org.opencontainers.image.${label}`], 'string', label);
  t.ok('/data' in config.Volumes, 'data survive the container');
  const bytes = imageBytes(engine, IMAGE);
  t.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
}

async function runsWhole(t: Test, engine: Engine): Promise<void> {
  const container = await startContainer(engine, IMAGE);
  t.teardown(() => container.remove());
  const home = await fetch(`${container.origin}/plugins/`);
  t.equal(home.status, 200);
  t.match(await home.text(), '<html');
  await isConfined(t, engine, container);
  t.strictSame(container.find(PROGRAMS), [], 'no compiler or downloader');
  t.strictSame(container.find(SOURCES), [], 'nothing that is for those who develop it');
  t.equal(container.find(['sbom.cdx.json']).length, 1, 'it says what it holds');
  t.equal(await container.terminate(), 0, container.output().slice(-2000));
}

/** Healthy, run by an ordinary user, and only able to write to its data and /tmp. */
async function isConfined(t: Test, engine: Engine, container: Container): Promise<void> {
  const [, ...healthcheck] = imageConfig(engine, IMAGE).Healthcheck.Test;
  t.equal(await container.execute(healthcheck), 0, 'it is healthy');
  const isOrdinary = 'process.exit(process.getuid() === 1000 ? 0 : 1)';
  t.equal(await container.execute(['node', '-e', isOrdinary]), 0, 'an ordinary user');
  const write = (path: string) => ['node', '-e', `require('fs').writeFileSync('${path}', 'x')`];
  for (const path of ['/data/x', '/tmp/x']) t.equal(await container.execute(write(path)), 0, path);
  for (const path of ['/x', '/app/x', '/etc/x']) {
    t.not(await container.execute(write(path)), 0, path);
  }
}

async function runsRoles(t: Test, engine: Engine): Promise<void> {
  const DATABASE_URL = insideAddress((await testServer()).url);
  const start = async (settings: Record<string, string>) => {
    const container = await startContainer(engine, IMAGE, {
      SERVICE_KEYS: SERVICE_KEYS_SETTING,
      ...settings,
    });
    t.teardown(() => container.remove());
    return container;
  };
  const identity = await start({ ROLE: 'identity', DATABASE_URL });
  const IDENTITY_URL = identity.origin;
  const community = await start({ ROLE: 'community', DATABASE_URL, IDENTITY_URL });
  const gateway = await start({ ROLE: 'gateway', COMMUNITY_URL: community.origin, IDENTITY_URL });
  const answers = await fetch(`${gateway.origin}/api/cmt/plugin/list`, {
    headers: { 'x-requested-with': 'plugin-square' },
  });
  t.hasStrict(await answers.json(), { code: 0, data: { plugin_list: [] } });
  for (const container of [gateway, community, identity]) {
    await isConfined(t, engine, container);
    t.equal(await container.terminate(), 0, container.output().slice(-2000));
  }
}
