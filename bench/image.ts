import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { testServer } from '../test/support/postgres-server.ts';
import { SERVICE_KEYS_SETTING } from '../test/support/service-keys.ts';
import { type Container, startContainer } from '../test/system/image/container.ts';
import { type Engine, findEngine, hasImage, IMAGE, imageBytes } from '../test/system/image/engine.ts';
import { insideAddress } from '../test/system/image/inside-address.ts';
import { median, type Table } from './figures.ts';
import { memoryOf, residentOf } from './process-memory.ts';
import type { Bench } from './run.ts';

const ROUNDS = 5;
/** Milliseconds until the program has released the memory of its start. */
const SETTLE = 5000;
const ROLES = ['gateway', 'community', 'identity', 'all'] as const;
/** The rounds share one database but not their data folders. */
const IDENTITY_KEYS = randomBytes(32).toString('base64url');

type Figures = { seconds: number; resident: number; database: number };
type Round = Record<(typeof ROLES)[number], Figures>;

/** Starts the image in each role, one after another; returns start time and memory. */
async function round(engine: Engine, databaseUrl: string): Promise<Round> {
  const running: Container[] = [];
  const start = async (settings: Record<string, string>) => {
    const container = await startContainer(engine, IMAGE, {
      LOG_LEVEL: 'warn',
      SERVICE_KEYS: SERVICE_KEYS_SETTING,
      ...settings,
    });
    running.push(container);
    return container;
  };
  try {
    const identity = await start({ ROLE: 'identity', DATABASE_URL: databaseUrl, IDENTITY_KEYS });
    const services = { IDENTITY_URL: identity.origin };
    const community = await start({ ROLE: 'community', DATABASE_URL: databaseUrl, ...services });
    const gateway = await start({ ROLE: 'gateway', COMMUNITY_URL: community.origin, ...services });
    const all = await start({ SEED: 'none' });
    await delay(SETTLE);
    const of = ({ secondsToReady, pid }: Container): Figures => ({
      seconds: secondsToReady,
      resident: residentOf(pid),
      database: memoryOf({ pid }).database,
    });
    return { gateway: of(gateway), community: of(community), identity: of(identity), all: of(all) };
  } finally {
    for (const container of running) container.remove();
  }
}

/** The image of `npm run test:image`: its size, and start time and memory of each role. */
export const image: Bench = async () => {
  const engine = findEngine();
  if (engine === undefined || !hasImage(engine, IMAGE))
    throw new Error('There is no image. Run: npm run test:image');
  const databaseUrl = insideAddress((await testServer()).url);
  const rounds: Round[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await round(engine, databaseUrl));
  const of = (role: keyof Round, figure: keyof Figures, digits = 0): string =>
    median(rounds.map((one) => one[role][figure])).toFixed(digits);
  const row = (role: keyof Round): Table['rows'][number] => [
    role,
    of(role, 'seconds', 2),
    of(role, 'resident'),
    role === 'all' ? of(role, 'database') : '',
  ];
  const megabytes = (imageBytes(engine, IMAGE) / 1e6).toFixed(0);
  return [
    {
      title: `The image, ${megabytes} MB: start until requests are taken, and memory 5 s later`,
      head: ['role', 'seconds', 'resident, MiB', 'embedded database, MiB'],
      rows: ROLES.map(row),
    },
  ];
};
