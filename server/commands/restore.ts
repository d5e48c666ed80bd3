/** `npm run restore -- FILE [--force]`: restores a backup into an empty deployment whose services are stopped. */
import { startError } from '../database/errors.ts';
import { withDatabase } from './database.ts';
import { runProgram, withFileStore } from './program.ts';
import { checkBackup, restore } from './restore/restore.ts';

const FORCE = '--force';

await runProgram(async (program, args) => {
  const { config, log, say } = program;
  const [file, ...more] = args.filter((arg) => arg !== FORCE);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw startError(`Usage: npm run restore -- FILE [${FORCE}]`);
  const backup = await checkBackup(file);
  const options = { log, backup, dataDir: config.dataDir, force: args.includes(FORCE) };
  const done = await withFileStore(program, (files) =>
    withDatabase(config, { log, mayCreate: true }, (url) => restore({ url, files, ...options })),
  );
  const keys = done.keys.length > 0 ? `, keys: ${done.keys.join(', ')}` : '';
  say(`Restored ${done.tables} tables and ${done.files} files${keys}.`);
});
