/** `npm run bundle -- export|import|key`: moves chosen plugins between deployments that cannot reach each other. */
import { parseArgs } from 'node:util';
import { type FileStore, openFileStore } from './community/media/files.ts';
import { COMMUNITY_SCHEMA } from './community/migrations.ts';
import type { Db } from './community/schema.ts';
import { startError } from './database/errors.ts';
import { exportBundle } from './operations/bundle/export-bundle.ts';
import { importBundle } from './operations/bundle/import-bundle.ts';
import { loadSigningKey, publicKeyOf } from './operations/bundle/signing-key.ts';
import { withConnection, withDatabase } from './operations/database.ts';
import { type Program, runProgram } from './operations/program.ts';

const USAGE = `Usage:
  npm run bundle -- export FILE PLUGIN_KEY… (or --all)
  npm run bundle -- import FILE --trust PUBLIC_KEY --publisher USER_ID
  npm run bundle -- key`;

type Place = { db: Db; files: FileStore };

function wordsOf(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { all: { type: 'boolean' }, trust: { type: 'string' }, publisher: { type: 'string' } },
    });
  } catch (error) {
    throw startError(USAGE, error);
  }
}

async function withPlace({ config, log }: Program, work: (place: Place) => Promise<void>): Promise<void> {
  const { dataDir, s3 } = config;
  const { files, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
  const given = { name: 'bundle', schema: COMMUNITY_SCHEMA, log };
  await withDatabase(config, { log }, (url) =>
    withConnection(url, given, ({ db }) => work({ db, files })),
  ).finally(close);
}

async function main(program: Program, words: readonly string[]): Promise<void> {
  const { positionals, values } = wordsOf(words);
  const [verb, file, ...keys] = positionals;
  const { say } = program;
  const { dataDir } = program.config;
  if (verb === 'key' && file === undefined) return say(publicKeyOf(await loadSigningKey(dataDir)));
  const isExport = verb === 'export' && keys.length > 0 !== (values.all ?? false);
  const publisherId = Number(values.publisher);
  const { trust } = values;
  if (file !== undefined && isExport) {
    return withPlace(program, async (place) => {
      const plugins = values.all ? 'all' : keys;
      const done = await exportBundle({ ...place, dataDir, file, plugins });
      say(`${file}: ${done.plugins} plugins in ${done.versions} versions, ${done.files} files.`);
      say(`Signed; who imports it trusts ${done.publicKey}`);
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
  await withPlace(program, async (place) => {
    const given = { file, trusted: trust, publisherId, now: Date.now };
    for (const [key, outcome] of await importBundle({ ...place, ...given })) say(`${key}: ${outcome}`);
  });
}

await runProgram(main);
