import type { IdentityDb } from '../schema.ts';

export type SsoLogin = {
  source: string;
  /** What the method needs again when the person is back. */
  secrets: Record<string, string>;
  /** What the sign-in page was opened with. */
  parameters: Record<string, string>;
};

export async function insertSsoLogin(
  db: IdentityDb,
  stateHash: Buffer,
  { source, secrets, parameters }: SsoLogin,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('sso_login')
    .values({
      state_hash: stateHash,
      source,
      secrets: JSON.stringify(secrets),
      parameters: JSON.stringify(parameters),
      expires_at: expiresAt,
    })
    .execute();
}

/** Takes a sign-in that was begun for this source; it can be taken once. */
export function takeSsoLogin(
  db: IdentityDb,
  { stateHash, source, at }: { stateHash: Buffer; source: string; at: Date },
): Promise<SsoLogin | undefined> {
  return db
    .deleteFrom('sso_login')
    .where('state_hash', '=', stateHash)
    .where('source', '=', source)
    .where('expires_at', '>', at)
    .returning(['source', 'secrets', 'parameters'])
    .executeTakeFirst();
}
