import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { describeLackingKeys } from '../../../server/commands/backup/keys.ts';

type Settings = Parameters<typeof describeLackingKeys>[0];

const HELD = { keys: ['account-keys', 'identity-keys', 'session-keys'], schemas: [] };

t.test('the key of approvals is named where it is a setting', async (t) => {
  const none = { session: { keys: [] }, identityKeys: [], accountKeys: [] };
  const describe = (approvalKey: Settings['approvalKey']) =>
    describeLackingKeys({ ...none, approvalKey, bundleKey: undefined }, HELD);
  t.strictSame(describe(generateKeyPairSync('ed25519').privateKey), [
    'APPROVAL_KEY is a setting and not in the backup: keep it with your settings.',
  ]);
  t.strictSame(describe(undefined), [], 'else it is in the database, which the backup has');
});
