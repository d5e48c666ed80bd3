/** `npm run bundle -- export|import|key`: moves selected plugins between deployments without a network connection. */
import { parseArgs } from 'node:util';
import { exportBundle } from '../community/bundle/export-bundle.ts';
import { importBundle } from '../community/bundle/import-bundle.ts';
import { loadSigningKey, publicKeyOf } from '../community/bundle/signing-key.ts';
import type { FileStore } from '../community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../community/migrations.ts';
import type { Db } from '../community/schema.ts';
import { startError } from '../database/errors.ts';
import { withDatabase, withQueries } from './database.ts';
import { type Program, runProgram, withFileStore } from './program.ts';

const USAGE = `Usage:
  npm run bundle -- export FILE PLUGIN_KEY… (or --all)
  npm run bundle -- import FILE --trust=PUBLIC_KEY --publisher USER_ID
  npm run bundle -- key`;

type Storage = { db: Db; files: FileStore };

function parseCommand(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { all: { type: 'boolean' }, trust: { type: 'string' }, publisher: { type: 'string' } },
    });
  } catch (error) {
    throw startError(USAGE, error);
  }
}

async function withStorage(program: Program, work: (storage: Storage) => Promise<void>): Promise<void> {
  const { config, log } = program;
  const options = { name: 'bundle', schema: COMMUNITY_SCHEMA, log };
  await withFileStore(program, (files) =>
    withDatabase(config, { log }, (url) => withQueries(url, options, (db) => work({ db, files }))),
  );
}

async function main(program: Program, args: readonly string[]): Promise<void> {
  const { positionals, values } = parseCommand(args);
  const [verb, file, ...keys] = positionals;
  const { say } = program;
  const signingKey = () => loadSigningKey(program.config);
  if (verb === 'key' && file === undefined) return say(publicKeyOf(await signingKey()));
  const isExport = verb === 'export' && keys.length > 0 !== (values.all ?? false);
  const publisherId = Number(values.publisher);
  const { trust } = values;
  if (file !== undefined && isExport) {
    return withStorage(program, async (storage) => {
      const plugins = values.all ? 'all' : keys;
      const done = await exportBundle({
        ...storage,
        signingKey: await signingKey(),
        file,
        plugins,
        tell: say,
      });
      say(`${file}: ${done.plugins} plugins in ${done.versions} versions, ${done.files} files.`);
      say(`Signed. Import it with --trust=${done.publicKey}`);
    });
  }
  if (
    file === undefined ||
    verb !== 'import' ||
    keys.length > 0 ||
    !trust ||
    !Number.isSafeInteger(publisherId)
  )
    throw startError(USAGE);
  await withStorage(program, async (storage) => {
    const options = { file, trusted: trust, publisherId, now: Date.now, tell: say };
    for (const [key, outcome] of await importBundle({ ...storage, ...options })) say(`${key}: ${outcome}`);
  });
}

await runProgram(main);
