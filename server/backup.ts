/** `npm run backup -- FILE [--with-keys]`: database and files in one archive, beside a running service or alone. */

import { openFileStore } from './community/media/files.ts';
import { startError } from './database/errors.ts';
import { type BackedUp, backUp } from './operations/backup/backup.ts';
import { withDatabase } from './operations/database.ts';
import { runProgram } from './operations/program.ts';

const WITH_KEYS = '--with-keys';

function linesOf(file: string, { tables, files, missing, keys }: BackedUp): string[] {
  return [
    `${file}: ${tables} tables and ${files} files${keys.length > 0 ? `, keys: ${keys.join(', ')}` : ''}.`,
    ...(keys.length > 0
      ? []
      : ['Keys are not in it; what they encrypt opens with the keys of the data folder alone.']),
    ...missing.map((name) => `The file ${name} is missing in the store, and so in the backup.`),
  ];
}

await runProgram(async ({ config, log, say }, words) => {
  const [file, ...more] = words.filter((word) => word !== WITH_KEYS);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw startError(`Usage: npm run backup -- FILE [${WITH_KEYS}]`);
  const { dataDir, s3 } = config;
  const keysOf = words.includes(WITH_KEYS) ? dataDir : undefined;
  const { files, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
  try {
    const done = await withDatabase(config, { log }, (url) => backUp({ url, files, log, file, keysOf }));
    for (const line of linesOf(file, done)) say(line);
  } finally {
    close();
  }
});
