import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { S3Settings } from '../../../../server/community/files/media/s3/client.ts';
import { type Compose, readCompose, type Service } from '../../../deploy/compose-file.ts';
import { endChild, hasEnded } from '../../../support/child-process.ts';
import { freePort } from '../../../support/port.ts';
import { writeFront } from './front.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const OURS = ['identity', 'community-1', 'community-2', 'gateway-1', 'gateway-2'];

/** The running site of compose.yaml. */
export type Site = {
  /** Local port of the front. */
  https: number;
  http: number;
  /** The front's certificate. */
  cert: string;
  /** Names in the order in which they became healthy. */
  order: readonly string[];
  process(name: string): ChildProcess;
  stop(): Promise<void>;
};

type Given = { databaseUrl: string; s3: S3Settings; env: Readonly<Record<string, string>> };
type Ports = Record<string, { port: number; ops: number }>;

/**
 * Starts the services of compose.yaml without Compose: same environment, commands, health checks and order. Addresses of
 * its network become local ports; database and file store are running already.
 */
export async function startSite({ databaseUrl, s3, env }: Given): Promise<Site> {
  const { accessKeyId, secretAccessKey } = s3;
  const compose = readCompose({
    ...env,
    // The only administrator publishes and approves.
    REVIEW_OWN_SUBMISSIONS: 'yes',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-site-'));
  const ports: Ports = {};
  for (const name of [...OURS, 'redis', 'front', 'inside'])
    ports[name] = { port: await freePort(), ops: await freePort() };
  const portOf = (name: string): number => ports[name]?.port ?? 0;
  const services = Object.fromEntries(OURS.map((name) => [name, portOf(name)]));
  const [http, https] = [ports.front?.ops ?? 0, portOf('front')];
  const front = await writeFront(folder, { http, https, inside: portOf('inside'), services });
  const here = (text: string): string =>
    text
      .replace(/^postgres:.*/, databaseUrl)
      .replace('http://s3:8333', s3.endpoint)
      .replace('http://front:8090', `http://127.0.0.1:${portOf('inside')}`)
      .replace('http://identity:8080', `http://127.0.0.1:${portOf('identity')}`)
      .replace('redis:6379', `127.0.0.1:${portOf('redis')}`)
      .replace('172.30.90.0/24', '127.0.0.0/8');

  const running = new Map<string, ChildProcess>();
  const order: string[] = [];
  const commandOf = (name: string, { command = [] }: Service): [string, string[], NodeJS.ProcessEnv] => {
    if (name === 'front')
      return ['nginx', ['-p', folder, '-c', front.file, '-e', join(folder, 'error.log')], {}];
    if (name === 'redis')
      return [command[0] ?? '', [...command.slice(1), '--port', String(portOf(name))], {}];
    return [process.execPath, ['server/main.ts'], environmentOf(name)];
  };
  const environmentOf = (name: string): Record<string, string> => {
    // A variable without a value is inherited from the caller, where it is not set.
    const given = Object.entries(compose.services[name]?.environment ?? {}).filter(
      ([, value]) => value !== null,
    );
    const dataDir = join(folder, dataOf(compose, name));
    mkdirSync(dataDir, { recursive: true });
    return {
      ...Object.fromEntries(given.map(([key, value]) => [key, here(value)])),
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: String(portOf(name)),
      OPS_PORT: String(ports[name]?.ops),
    };
  };
  const isHealthy = (name: string, service: Service): boolean => {
    const test = service.healthcheck?.test ?? imageHealthcheck();
    const [program = '', ...words] = test
      .slice(1)
      .map((word) => word.replace('127.0.0.1/', `127.0.0.1:${https}/`));
    const more = program === 'redis-cli' ? ['-p', String(portOf(name))] : [];
    const opsPort = { OPS_PORT: String(ports[name]?.ops) };
    const env = { PATH: process.env.PATH, ...opsPort };
    return spawnSync(program, [...more, ...words], { env, stdio: 'ignore' }).status === 0;
  };

  /** Waits until all dependencies are healthy, like Compose. */
  const start = async (name: string): Promise<void> => {
    const service = compose.services[name];
    if (service === undefined || order.includes(name)) return;
    for (const needed of Object.keys(service.depends_on ?? {})) await start(needed);
    if (!['postgres', 's3', 's3-bucket'].includes(name)) {
      const [program, words, more] = commandOf(name, service);
      const env = { PATH: process.env.PATH, ...more };
      const child = spawn(program, words, { cwd: name === 'redis' ? folder : ROOT, env, stdio: 'ignore' });
      running.set(name, child);
      while (!isHealthy(name, service)) {
        if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}`);
        await delay(200);
      }
    }
    order.push(name);
  };

  const stop = async (): Promise<void> => {
    for (const child of [...running.values()].toReversed()) await endChild(child, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await start('front');
  } catch (error) {
    await stop();
    throw error;
  }
  const process_ = (name: string): ChildProcess => {
    const child = running.get(name);
    if (child === undefined) throw new Error(`${name} does not run`);
    return child;
  };
  return { https, http, cert: front.cert, order, process: process_, stop };
}

/** Name of the volume of /data, or of the service if there is none. */
function dataOf({ services }: Compose, name: string): string {
  const volume = services[name]?.volumes?.find((path) => path.endsWith(':/data'));
  return volume?.split(':')[0] ?? name;
}

/** The health check of our image. */
function imageHealthcheck(): string[] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const command = /HEALTHCHECK [^[]*CMD (\[.*\])/.exec(text)?.[1];
  if (command === undefined) throw new Error('the Dockerfile has no HEALTHCHECK');
  return ['CMD', ...JSON.parse(command)];
}
