import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from '../support/port.ts';
import { type Engine, type ImageConfig, run } from './engine.ts';

export type Container = {
  origin: string;
  opsOrigin: string;
  /** Runs a command inside, as the program's user; answers its exit code. */
  execute(command: string[]): Promise<number>;
  /** Files below a folder of the image that have one of these names. */
  find(names: string[]): string[];
  /** Asks process 1 to end and answers its exit code. */
  terminate(): Promise<number>;
  output(): string;
  remove(): void;
};

/**
 * Makes the image's root read-only, /data and /tmp writable, and hands over to the command as process 1 of its own
 * process space. $1 root, $2 data folder.
 */
const ENTER = `
root=$1 data=$2; shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -o remount,bind,ro "$root"
exec chroot --userspec=1000:1000 "$root" /usr/bin/env -i "$@"
`;

/** Starts the image with buildah's storage and the kernel's name spaces, which an engine would use as well. */
export async function startMounted(image: string, { Env, Entrypoint, Cmd }: ImageConfig): Promise<Container> {
  const container = run('buildah', 'from', '--pull=never', image);
  const root = run('buildah', 'mount', container);
  const data = mkdtempSync(join(tmpdir(), 'plugin-square-image-'));
  chownSync(data, 1000, 1000);
  const [port, opsPort] = [await freePort(), await freePort()];
  const env = [...Env, `PORT=${port}`, `OPS_PORT=${opsPort}`, 'HOST=127.0.0.1'];
  const enter = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', ENTER, 'enter', root, data];
  const command = ['/usr/bin/env', '-C', '/app', ...Entrypoint, ...Cmd];
  const child = spawn('unshare', [...enter, ...env, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const inside = (): number => processOne(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin: `http://127.0.0.1:${opsPort}`,
    async execute(wanted) {
      const where = ['--target', String(inside()), '--mount', '--pid', '--root'];
      const who = ['--setuid', '1000', '--setgid', '1000', '/usr/bin/env', '-i', '-C', '/app', ...env];
      const [code] = await once(spawn('nsenter', [...where, ...who, ...wanted], { stdio: 'ignore' }), 'exit');
      return code;
    },
    find: (names) => {
      const tests = names.flatMap((name, index) => [...(index > 0 ? ['-o'] : []), '-name', name]);
      return run(
        'find',
        root,
        '-xdev',
        '(',
        ...tests,
        ')',
        '-not',
        '-type',
        'd',
        '-not',
        '-path',
        '*/node_modules/*',
      )
        .split('\n')
        .filter((path) => path !== '');
    },
    async terminate() {
      const ended = once(child, 'exit');
      process.kill(inside(), 'SIGTERM');
      const [code] = await ended;
      return code;
    },
    output: () => text,
    remove() {
      child.kill('SIGKILL');
      run('buildah', 'rm', container);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The process outside that is number 1 inside. */
function processOne({ pid }: ChildProcess): number {
  return Number(run('pgrep', '-P', String(pid)).split('\n')[0]);
}

/** Starts the image as an engine does. */
export async function startDocker(image: string): Promise<Container> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--network', 'host'];
  const env = [`PORT=${port}`, `OPS_PORT=${opsPort}`].flatMap((line) => ['--env', line]);
  const id = run('docker', 'run', '--detach', ...limits, ...env, image);
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin: `http://127.0.0.1:${opsPort}`,
    async execute(command) {
      const [code] = await once(spawn('docker', ['exec', id, ...command], { stdio: 'ignore' }), 'exit');
      return code;
    },
    find: (names) => {
      const files = run('sh', '-c', `docker export ${id} | tar -t`).split('\n');
      return files.filter(
        (path) => names.includes(basename(path)) && !path.endsWith('/') && !path.includes('/node_modules/'),
      );
    },
    async terminate() {
      run('docker', 'stop', '--time', '30', id);
      return Number(run('docker', 'inspect', '--format', '{{.State.ExitCode}}', id));
    },
    output: () => run('docker', 'logs', id),
    remove: () => void run('docker', 'rm', '--force', '--volumes', id),
  };
}

export function startContainer(engine: Engine, image: string, config: ImageConfig): Promise<Container> {
  return engine === 'docker' ? startDocker(image) : startMounted(image, config);
}
