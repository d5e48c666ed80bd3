/** `npm run sweep`: runs the hourly cleanup now; the service may be running. */

import { COMMUNITY_SCHEMA } from '../community/migrations.ts';
import type { CommunityTables } from '../community/schema.ts';
import { type Swept, sweep } from '../community/sweep/sweep.ts';
import { startError } from '../database/errors.ts';
import { openKysely, openPool } from '../database/pool.ts';
import { withDatabase, withPool } from './database.ts';
import { type Program, runProgram, withFileStore } from './program.ts';

const DRY_RUN = '--dry-run';

function linesOf(swept: Swept, dryRun: boolean): string[] {
  const megabytes = (swept.bytes / 1024 / 1024).toFixed(1);
  return [
    `${dryRun ? 'Would remove' : 'Removed'}:`,
    `  ${swept.rows} unused pictures, videos and packages, with their files`,
    `  ${swept.files} files without a database row (${megabytes} MB)`,
    `  ${swept.drafts} incomplete files and ${swept.uploads} abandoned uploads`,
    ...(swept.notices > 0 ? [`  ${swept.notices} old notices`] : []),
    ...(swept.missing > 0 ? [`${swept.missing} files are missing; the log names them.`] : []),
  ];
}

async function sweepNow(program: Program, url: string, dryRun: boolean): Promise<void> {
  const { config, log, say } = program;
  const pool = openPool(url, { applicationName: 'plugin-square sweep', schema: COMMUNITY_SCHEMA, log });
  const db = openKysely<CommunityTables>(pool);
  const options = { db, dataDir: config.dataDir, now: Date.now, log, dryRun };
  const swept = await withPool(pool, () => withFileStore(program, (files) => sweep({ ...options, files })));
  for (const line of swept ? linesOf(swept, dryRun) : ['Another program is sweeping.']) say(line);
}

await runProgram(async (program, args) => {
  const unknown = args.filter((arg) => arg !== DRY_RUN);
  if (unknown.length > 0) throw startError(`Unknown: ${unknown.join(' ')}. The only option is ${DRY_RUN}.`);
  await withDatabase(program.config, program, (url) => sweepNow(program, url, args.includes(DRY_RUN)));
});
