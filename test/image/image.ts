/** `npm run test:image`: builds the image with docker or buildah, whichever is there, and runs it. */
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startContainer } from './container.ts';
import { buildImage, findEngine, hasImage, imageConfig, run } from './engine.ts';
import { makeStandInBase } from './stand-in-base.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASE = 'docker.io/library/node:24-bookworm-slim';
const IMAGE = 'localhost/plugin-square:test';
const BYTES_MAX = 300_000_000;
const ABSENT = ['npm', 'npx', 'yarn', 'apt-get', 'dpkg', 'gcc', 'cc', 'make', 'python3', 'curl', 'perl'];

const engine = findEngine();
const skip = engine === undefined ? 'neither a docker engine nor buildah is here' : false;

t.test('the image is built, runs as it should, and ends when it is told', { skip, timeout: 0 }, async (t) => {
  if (engine === undefined) return;
  if (!hasImage(engine, BASE)) {
    t.comment('the base image cannot be pulled: a stand-in is made');
    makeStandInBase(engine, BASE);
  }
  buildImage(engine, ROOT, IMAGE);
  const config = imageConfig(engine, IMAGE);
  t.match(config, {
    User: '1000:1000',
    Entrypoint: ['node'],
    Cmd: ['server/main.ts'],
    StopSignal: 'SIGTERM',
  });
  t.match(config.Labels, { 'org.opencontainers.image.licenses': 'Apache-2.0' });

  const container = await startContainer(engine, IMAGE, config);
  t.teardown(() => container.remove());
  await untilReady(container.opsOrigin, container.output);
  const home = await fetch(`${container.origin}/plugins/`);
  t.equal(home.status, 200);
  t.match(await home.text(), '<html');
  t.equal(await container.execute(config.Healthcheck.Test.slice(1)), 0, 'it tells that it is well');
  const isOrdinary = 'process.exit(process.getuid() === 1000 ? 0 : 1)';
  t.equal(await container.execute(['node', '-e', isOrdinary]), 0, 'an ordinary user');
  const write = (path: string) => ['node', '-e', `require('fs').writeFileSync('${path}', 'x')`];
  t.equal(await container.execute(write('/data/x')), 0);
  t.equal(await container.execute(write('/tmp/x')), 0);
  for (const path of ['/x', '/app/x', '/etc/x']) t.not(await container.execute(write(path)), 0, path);
  t.strictSame(container.find(ABSENT), [], 'no package manager, compiler or downloader');
  t.equal(container.find(['sbom.cdx.json']).length, 1, 'it says what it holds');
  t.equal(await container.terminate(), 0, container.output().slice(-2000));
  if (engine === 'docker') {
    const bytes = Number(run('docker', 'image', 'inspect', '--format', '{{.Size}}', IMAGE));
    t.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
  } else t.ok(mountedBytes() <= BYTES_MAX, `${mountedBytes()} bytes`);
});

function mountedBytes(): number {
  const container = run('buildah', 'from', '--pull=never', IMAGE);
  const root = run('buildah', 'mount', container);
  const bytes = Number(run('du', '-sxb', root).split('\t')[0]);
  run('buildah', 'rm', container);
  return bytes;
}

async function untilReady(opsOrigin: string, output: () => string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const ok = await fetch(`${opsOrigin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The image did not become ready:\n${output()}`);
}
