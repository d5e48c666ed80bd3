import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installedProgram } from '../../support/programs.ts';
import { type Engine, run } from './engine.ts';

/** In a network with a private CA, the image build must trust it too. */
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const NPM = 'npm@11';

/**
 * Creates a replacement for a base image that cannot be pulled: Debian's base system, the running Node, npm and
 * the user of the real image. Only for this test.
 */
export function makeStandInBase(engine: Engine, name: string): void {
  const debootstrap = installedProgram('debootstrap');
  if (debootstrap === undefined)
    throw new Error('The base image cannot be pulled, and debootstrap is not there.');
  const folder = mkdtempSync(join(tmpdir(), 'plugin-square-base-'));
  try {
    const root = join(folder, 'root');
    run(debootstrap, '--variant=minbase', 'bookworm', root);
    for (const waste of ['var/cache/apt/archives/*.deb', 'var/lib/apt/lists/*', 'usr/share/man/*']) {
      for (const path of globSync(waste, { cwd: root })) rmSync(join(root, path), { recursive: true });
    }
    cpSync(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
    run('npm', 'install', '-g', '--prefix', join(root, 'usr/local'), NPM, '--no-audit', '--no-fund');
    run('chroot', root, 'groupadd', '--gid', '1000', 'node');
    run('chroot', root, 'useradd', '--uid', '1000', '--gid', 'node', '--create-home', 'node');
    const trusts = existsSync(AUTHORITIES);
    if (trusts) {
      mkdirSync(join(root, dirname(AUTHORITIES)), { recursive: true });
      cpSync(AUTHORITIES, join(root, AUTHORITIES), { dereference: true });
    }
    commit(engine, root, name, trusts ? [`NODE_EXTRA_CA_CERTS=${AUTHORITIES}`] : []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commit(engine: Engine, root: string, name: string, env: string[]): void {
  if (engine === 'docker') {
    const archive = `${root}.tar`;
    run('tar', '-C', root, '-cf', archive, '.');
    run('docker', 'import', ...env.flatMap((line) => ['--change', `ENV ${line}`]), archive, name);
    return;
  }
  const container = run('buildah', 'from', 'scratch');
  run('buildah', 'add', container, root, '/');
  const settings = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env];
  run('buildah', 'config', ...settings.flatMap((line) => ['--env', line]), container);
  run('buildah', 'commit', '--rm', container, name);
}
