import { spawnSync } from 'node:child_process';

export type Engine = 'docker' | 'buildah';

/** Name of the test image. */
export const IMAGE = 'localhost/plugin-square:test';

/** Runs a program and returns its output. @throws Error with its error output */
export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${status}:\n${stderr.slice(-4000)}`);
}

function works(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** docker with a running engine, or buildah. */
export function findEngine(): Engine | undefined {
  if (works('docker', 'info')) return 'docker';
  return works('buildah', 'info') ? 'buildah' : undefined;
}

export function hasImage(engine: Engine, name: string): boolean {
  return engine === 'docker'
    ? works('docker', 'image', 'inspect', name) || works('docker', 'pull', name)
    : works('buildah', 'inspect', '--type', 'image', name) || works('buildah', 'pull', name);
}

/** Builds the image. */
export function buildImage(engine: Engine, root: string, name: string): void {
  if (engine === 'docker') run('docker', 'build', '-t', name, root);
  else {
    const classic = ['--isolation=chroot', '--format=docker', '--pull=never'];
    run('buildah', 'build', ...classic, '-t', name, root);
  }
}

/** The image's configuration in Docker's format. */
export type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Labels: Record<string, string>;
  Volumes: Record<string, unknown>;
  Healthcheck: { Test: string[] };
  StopSignal: string;
};

export function imageConfig(engine: Engine, name: string): ImageConfig {
  if (engine === 'docker') return JSON.parse(run('docker', 'image', 'inspect', name))[0].Config;
  return JSON.parse(run('buildah', 'inspect', '--type', 'image', name)).Docker.config;
}

/** Size of its files; engines that share or compress layers show other sizes. */
export function imageBytes(engine: Engine, name: string): number {
  if (engine === 'docker') return Number(run('docker', 'image', 'inspect', '--format', '{{.Size}}', name));
  const container = run('buildah', 'from', '--pull=never', name);
  const bytes = Number(run('du', '-sxb', run('buildah', 'mount', container)).split('\t')[0]);
  run('buildah', 'rm', container);
  return bytes;
}
