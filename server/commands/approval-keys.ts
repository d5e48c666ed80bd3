/** `npm run approval-keys -- list|rotate`: the keys that sign approvals. Services follow a rotation at once. */

import { listKeys } from '../community/catalogue/transparency/key-store.ts';
import { rotateApprovalKey } from '../community/catalogue/transparency/keys.ts';
import { COMMUNITY_SCHEMA } from '../community/migrations.ts';
import type { Db } from '../community/schema.ts';
import { loadSecretEncryptor } from '../community/secrets.ts';
import { startError } from '../database/errors.ts';
import { withDatabase, withQueries } from './database.ts';
import { type Program, runProgram } from './program.ts';

type Verb = (db: Db, program: Program) => Promise<void>;

const VERBS: Readonly<Record<string, Verb>> = {
  async list(db, { say }) {
    for (const { kid, created_at, retired_at } of await listKeys(db)) {
      const end = retired_at === null ? '' : `, retired ${retired_at.toISOString()}`;
      say(`${kid}: made ${created_at.toISOString()}${end}`);
    }
  },
  async rotate(db, { config: { approvalKey, accountKeys, dataDir }, say }) {
    if (approvalKey)
      throw startError('APPROVAL_KEY is set: give it another key, and start the services again.');
    const encryptor = loadSecretEncryptor('approval keys', { configured: accountKeys, dataDir });
    say(`Approvals are signed with ${await rotateApprovalKey(db, encryptor, new Date())} from now on.`);
  },
};

await runProgram(async (program, args) => {
  const [name = '', ...rest] = args;
  const verb = VERBS[name];
  if (!verb || rest.length > 0) throw startError('Usage: npm run approval-keys -- list|rotate');
  const { config, log } = program;
  const purpose = { name: 'approval keys', schema: COMMUNITY_SCHEMA, log };
  await withDatabase(config, { log }, (url) => withQueries(url, purpose, (db) => verb(db, program)));
});
