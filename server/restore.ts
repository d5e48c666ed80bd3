/** `npm run restore -- FILE [--force]`: brings a backup into an empty deployment whose services are stopped. */

import { openFileStore } from './community/media/files.ts';
import { startError } from './database/errors.ts';
import { withDatabase } from './operations/database.ts';
import { runProgram } from './operations/program.ts';
import { checkBackup, restore } from './operations/restore/restore.ts';

const FORCE = '--force';

await runProgram(async ({ config, log, say }, words) => {
  const [file, ...more] = words.filter((word) => word !== FORCE);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw startError(`Usage: npm run restore -- FILE [${FORCE}]`);
  const backup = await checkBackup(file);
  const { dataDir, s3 } = config;
  const { files, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
  try {
    const given = { files, log, backup, dataDir, force: words.includes(FORCE) };
    const done = await withDatabase(config, { log, mayMake: true }, (url) => restore({ url, ...given }));
    const keys = done.keys.length > 0 ? `, keys: ${done.keys.join(', ')}` : '';
    say(`Restored ${done.tables} tables and ${done.files} files${keys}.`);
  } finally {
    close();
  }
});
