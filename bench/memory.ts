import { setTimeout as delay } from 'node:timers/promises';
import { openPool } from '../server/database/pool.ts';
import { stderrLog } from '../test/support/log.ts';
import { makeDataFolder } from '../test/support/product.ts';
import { type Program, startProgram } from '../test/support/program.ts';
import { median, type Table } from './figures.ts';
import { residentOf } from './process-memory.ts';
import type { Bench } from './run.ts';

const ROUNDS = 5;
/** Milliseconds until the program has released the memory of its start. */
const SETTLE = 5000;

type Role = 'identity' | 'community' | 'gateway';
type Figures = { seconds: number; idle: number; used: number };

/** First request of each role, after it was measured idle. */
const FIRST_USE: Readonly<Record<Role, string>> = {
  identity: '/.well-known/jwks.json',
  community: '/api/cmt/plugin/list',
  gateway: '/plugins/',
};

async function figuresOf(role: Role, program: Program): Promise<Figures> {
  const idle = residentOf(program.pid);
  await fetch(program.origin + FIRST_USE[role]).then((answer) => answer.text());
  return { seconds: program.secondsToReady, idle, used: residentOf(program.pid) };
}

/** Starts the three roles in their own processes, one after another; returns start time and memory. */
async function round(databaseUrl: string, dataDir: string): Promise<Record<Role, Figures>> {
  const common = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const identity = await startProgram({ ...common, ROLE: 'identity' });
  const services = { IDENTITY_URL: identity.origin };
  const community = await startProgram({ ...common, ...services, ROLE: 'community' });
  const addresses = { ...services, COMMUNITY_URL: community.origin };
  const gateway = await startProgram({ ...addresses, ROLE: 'gateway', DATA_DIR: dataDir });
  await delay(SETTLE);
  const figures = {
    gateway: await figuresOf('gateway', gateway),
    community: await figuresOf('community', community),
    identity: await figuresOf('identity', identity),
  };
  for (const program of [gateway, community, identity]) await program.stop();
  return figures;
}

/** Each role alone, with a compile cache: time until it is ready, and idle memory. */
export const memory: Bench = async ({ serverUrl }) => {
  const database = `bench_memory_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: stderrLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const { dir, remove } = await makeDataFolder();
  const rounds: Record<Role, Figures>[] = [];
  await round(url.href, dir);
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await round(url.href, dir));
  await remove();
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
  const row = (role: Role): Table['rows'][number] => [
    role,
    ...(['seconds', 'idle', 'used'] as const).map((figure) =>
      median(rounds.map((figures) => figures[role][figure])).toFixed(figure === 'seconds' ? 2 : 0),
    ),
  ];
  return [
    {
      title: 'Each role alone: later start, and resident memory',
      head: ['role', 'seconds until it takes requests', 'idle, MiB', 'after a first request, MiB'],
      rows: [row('gateway'), row('community'), row('identity')],
    },
  ];
};
