import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { type Engine, type ImageConfig, imageConfig, run } from './engine.ts';

export type Container = {
  origin: string;
  opsOrigin: string;
  /** Process id of its process 1 on this machine. */
  pid: number;
  secondsToReady: number;
  /** Runs a command in the container as the program's user. @returns its exit code */
  execute(command: string[]): Promise<number>;
  /** Files with one of these names below a folder of the image. */
  find(names: string[]): string[];
  /** Stops process 1. @returns its exit code */
  terminate(): Promise<number>;
  output(): string;
  remove(): void;
};

type Settings = Readonly<Record<string, string>>;
type Begun = Omit<Container, 'pid' | 'secondsToReady'> & {
  startedAt: number;
  pid(): number;
  isRunning(): boolean;
};

const ATTEMPTS = 4000;
/** Milliseconds between two checks. */
const BETWEEN = 20;

/**
 * Mounts the image's root read-only, and /data and /tmp writable, and runs the command as process 1 of a new
 * PID namespace. $1 root, $2 data folder.
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

/** Starts the image with buildah's storage and the kernel's namespaces, like an engine. */
async function startMounted(
  image: string,
  { Env, Entrypoint, Cmd }: ImageConfig,
  settings: Settings,
): Promise<Begun> {
  const container = run('buildah', 'from', '--pull=never', image);
  const root = run('buildah', 'mount', container);
  const data = mkdtempSync(join(tmpdir(), 'plugin-square-image-'));
  chownSync(data, 1000, 1000);
  const [port, opsPort] = [await freePort(), await freePort()];
  const given = { HOST: '127.0.0.1', ...settings, PORT: port, OPS_PORT: opsPort };
  const env = [...Env, ...lines(given)];
  const enter = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', ENTER, 'enter', root, data];
  const command = ['/usr/bin/env', '-C', '/app', ...Entrypoint, ...Cmd];
  const startedAt = performance.now();
  const child = spawn('unshare', [...enter, ...env, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const inside = (): number => processOne(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin: `http://127.0.0.1:${opsPort}`,
    startedAt,
    pid: inside,
    isRunning: () => !hasEnded(child),
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
      // PR_SET_PDEATHSIG is cleared when a process changes its user (prctl(2)).
      if (!hasEnded(child)) process.kill(inside(), 'SIGKILL');
      child.kill('SIGKILL');
      run('buildah', 'rm', container);
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Process id outside of process 1 in the container. */
function processOne({ pid }: ChildProcess): number {
  return Number(run('pgrep', '-P', String(pid)).split('\n')[0]);
}

/** Starts the image with docker. */
async function startDocker(image: string, settings: Settings): Promise<Begun> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const limits = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--network', 'host'];
  const given = { ...settings, PORT: port, OPS_PORT: opsPort };
  const env = lines(given).flatMap((line) => ['--env', line]);
  const startedAt = performance.now();
  const id = run('docker', 'run', '--detach', ...limits, ...env, image);
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin: `http://127.0.0.1:${opsPort}`,
    startedAt,
    pid: () => Number(run('docker', 'inspect', '--format', '{{.State.Pid}}', id)),
    isRunning: () => run('docker', 'inspect', '--format', '{{.State.Running}}', id) === 'true',
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

function lines(settings: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

/** Starts the image and waits until it accepts requests. */
export async function startContainer(
  engine: Engine,
  image: string,
  settings: Settings = {},
): Promise<Container> {
  const begun =
    engine === 'docker'
      ? await startDocker(image, settings)
      : await startMounted(image, imageConfig(engine, image), settings);
  try {
    await untilReady(begun);
  } catch (error) {
    begun.remove();
    throw error;
  }
  const secondsToReady = (performance.now() - begun.startedAt) / 1000;
  return { ...begun, pid: begun.pid(), secondsToReady };
}

async function untilReady({ opsOrigin, isRunning, output }: Begun): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const ok = await fetch(`${opsOrigin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ok) return;
    if (!isRunning()) break;
    await delay(BETWEEN);
  }
  throw new Error(`The image did not become ready:\n${output()}`);
}
