/** `npm run sweep`: what the service does every hour, now, beside a running one or alone. */
import { openFileStore } from './community/media/files.ts';
import { COMMUNITY_SCHEMA } from './community/migrations.ts';
import type { CommunityTables } from './community/schema.ts';
import { type Swept, sweep } from './community/sweep/sweep.ts';
import { startError } from './database/errors.ts';
import { openKysely, openPool } from './database/pool.ts';
import { withDatabase, withPool } from './operations/database.ts';
import { type Program, runProgram } from './operations/program.ts';

const DRY_RUN = '--dry-run';

function linesOf(swept: Swept, dryRun: boolean): string[] {
  const megabytes = (swept.bytes / 1024 / 1024).toFixed(1);
  return [
    `${dryRun ? 'Would remove' : 'Removed'}:`,
    `  ${swept.rows} pictures, videos and packages that nothing uses, with their files`,
    `  ${swept.files} files that belong to nothing (${megabytes} MB)`,
    `  ${swept.drafts} half-written files and ${swept.uploads} left-over uploads`,
    ...(swept.notices > 0 ? [`  ${swept.notices} old notices`] : []),
    ...(swept.missing > 0 ? [`${swept.missing} files are missing; the log names them.`] : []),
  ];
}

async function sweepNow({ config, log, say }: Program, url: string, dryRun: boolean): Promise<void> {
  const { dataDir, s3 } = config;
  const pool = openPool(url, { applicationName: 'plugin-square sweep', schema: COMMUNITY_SCHEMA, log });
  await withPool(pool, async () => {
    const { files, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
    const db = openKysely<CommunityTables>(pool);
    const swept = await sweep({ db, files, dataDir, now: Date.now, log, dryRun }).finally(close);
    for (const line of swept ? linesOf(swept, dryRun) : ['Another program is sweeping.']) say(line);
  });
}

await runProgram(async (program, words) => {
  const unknown = words.filter((word) => word !== DRY_RUN);
  if (unknown.length > 0) throw startError(`Unknown: ${unknown.join(' ')}. The only option is ${DRY_RUN}.`);
  await withDatabase(program.config, program, (url) => sweepNow(program, url, words.includes(DRY_RUN)));
});
