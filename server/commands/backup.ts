/** `npm run backup -- FILE [--with-keys]`: writes database and files into one archive; the service may be running. */
import type { Config } from '../config.ts';
import { startError } from '../database/errors.ts';
import { type BackedUp, backUp } from './backup/backup.ts';
import { describeLackingKeys } from './backup/keys.ts';
import { withDatabase } from './database.ts';
import { runProgram, withFileStore } from './program.ts';

const WITH_KEYS = '--with-keys';

function linesOf(file: string, done: BackedUp, config: Config, withKeys: boolean): string[] {
  const { tables, files, missing, keys } = done;
  return [
    `${file}: ${tables} tables and ${files} files${keys.length > 0 ? `, keys: ${keys.join(', ')}` : ''}.`,
    ...(withKeys
      ? describeLackingKeys(config, done)
      : ['Keys are not included; encrypted data can only be read with the keys of the data folder.']),
    ...missing.map((name) => `The file ${name} is missing in the file store, and so in the backup.`),
  ];
}

await runProgram(async (program, args) => {
  const { config, log, say } = program;
  const [file, ...more] = args.filter((arg) => arg !== WITH_KEYS);
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw startError(`Usage: npm run backup -- FILE [${WITH_KEYS}]`);
  const withKeys = args.includes(WITH_KEYS);
  const keysOf = withKeys ? config.dataDir : undefined;
  const done = await withFileStore(program, (files) =>
    withDatabase(config, { log }, (url) => backUp({ url, files, log, file, keysOf })),
  );
  for (const line of linesOf(file, done, config, withKeys)) say(line);
});
