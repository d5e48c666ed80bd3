/** `npm run sweep`: what the service does every hour, now, beside a running one or alone. */
import type { Logger } from 'pino';
import { openFolderStore } from './community/media/files.ts';
import { COMMUNITY_SCHEMA } from './community/migrations.ts';
import type { CommunityTables } from './community/schema.ts';
import { type Swept, sweep } from './community/sweep/sweep.ts';
import { type Config, loadConfig } from './config.ts';
import { hasDatabase, runningDatabaseUrl } from './database/embedded/running.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { openKysely, openPool, type Pool } from './database/pool.ts';
import { isStartError, startError } from './database/start-error.ts';
import { createLog } from './http/log.ts';
import { VERSION } from './version.ts';

const DRY_RUN = '--dry-run';

/** The database that is configured, that a running service has, or that lies in the data folder, started for now. */
async function openDatabase(
  { databaseUrl, dataDir }: Config,
  log: Logger,
): Promise<{ url: string; close: () => Promise<void> }> {
  const nothing = async () => undefined;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: nothing };
  if (!hasDatabase(dataDir)) throw startError(`There is no database in the data folder ${dataDir}.`);
  const running = await runningDatabaseUrl(dataDir);
  if (running !== undefined) return { url: running, close: nothing };
  const own = await startEmbeddedPostgres({ dataDir, log });
  return { url: own.url, close: () => own.stop() };
}

/** A pool says it has ended when it has told its connections to; the database must not stop before they are gone. */
async function endPool(pool: Pool): Promise<void> {
  let left = pool.totalCount;
  const gone = new Promise<void>((resolve) => {
    if (left === 0) resolve();
    pool.on('remove', () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  await pool.end();
  await gone;
}

function linesOf(swept: Swept, dryRun: boolean): string[] {
  const megabytes = (swept.bytes / 1024 / 1024).toFixed(1);
  return [
    `${dryRun ? 'Would remove' : 'Removed'}:`,
    `  ${swept.rows} pictures, videos and packages that nothing uses, with their files`,
    `  ${swept.files} files that belong to nothing (${megabytes} MB)`,
    `  ${swept.drafts} half-written files and ${swept.uploads} left-over uploads`,
    ...(swept.missing > 0 ? [`${swept.missing} files are missing; the log names them.`] : []),
  ];
}

async function main(options: readonly string[]): Promise<void> {
  const unknown = options.filter((option) => option !== DRY_RUN);
  if (unknown.length > 0) throw startError(`Unknown: ${unknown.join(' ')}. The only option is ${DRY_RUN}.`);
  const dryRun = options.includes(DRY_RUN);
  const config = loadConfig();
  const log = createLog({ level: config.logLevel ?? 'warn', version: VERSION, destination: process.stderr });
  const { url, close } = await openDatabase(config, log);
  try {
    const pool = openPool(url, { applicationName: 'plugin-square sweep', schema: COMMUNITY_SCHEMA, log });
    const db = openKysely<CommunityTables>(pool);
    const files = openFolderStore(config.dataDir);
    try {
      const swept = await sweep({ db, files, dataDir: config.dataDir, now: Date.now, log, dryRun });
      const lines = swept ? linesOf(swept, dryRun) : ['Another program is sweeping.'];
      process.stdout.write(`${lines.join('\n')}\n`);
    } finally {
      await endPool(pool);
    }
  } finally {
    await close();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${isStartError(error) ? error.message : message}\n`);
  process.exitCode = 1;
}
