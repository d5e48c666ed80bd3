import { randomBytes, randomUUID } from 'node:crypto';
import { createAccount } from '../../server/identity/accounts/account.ts';
import { JWKS_PATH } from '../../shared/user-service.ts';
import { addPlugin } from '../community/add-plugin.ts';
import { addVersion } from '../community/catalogue/versions/add-version.ts';
import { testCommunity } from '../support/community.ts';
import { ADMIN, ask, codeIn, testIdentity } from '../support/identity.ts';
import { portOf } from '../support/port.ts';
import { SERVICE_KEYS_SETTING } from '../support/service-keys.ts';
import { TOOL } from '../support/tool.ts';

/** This product's community and user service behind a gateway, with one super administrator and one tool. */
export type RealServices = {
  /** Their addresses. */
  community: string;
  identity: string;
  /** Settings of a gateway that may call them. */
  settings: Readonly<Record<string, string>>;
  /** A super administrator and their password. */
  admin: { userId: number; password: string };
  /** The code of a sign-in of the super administrator, for these parameters of a sign-in page. */
  codeFor(parameters: Record<string, string>): Promise<string>;
  /** Adds an account. @returns its id */
  newMember(): Promise<number>;
  /** Adds a published plugin that can be installed. */
  addPlugin(key: string): Promise<void>;
  /** Lets time go by in the user service, in milliseconds. */
  wait(milliseconds: number): void;
  /** All that the calls write that need a proof: accounts, sessions, links, publish tokens and the audit log. */
  stored(): Promise<unknown>;
};

/** @param t what it ends with */
export async function realServices(
  t: Parameters<typeof testIdentity>[0],
  publicUrl: string,
): Promise<RealServices> {
  const { app, db, clock } = await testIdentity(t, { publicUrl, oauthClients: [TOOL] });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const identity = `http://127.0.0.1:${portOf(app.server)}`;
  const community = await testCommunity(t, {
    identityUrl: identity,
    jwksUrl: identity + JWKS_PATH,
    toolIssuer: publicUrl,
  });
  const idOf = async (email: string): Promise<number> =>
    (await db.selectFrom('account').select('user_id').where('email', '=', email).executeTakeFirstOrThrow())
      .user_id;
  return {
    community: community.url,
    identity,
    settings: { SERVICE_KEYS: SERVICE_KEYS_SETTING, OAUTH_CLIENTS: JSON.stringify([TOOL]) },
    admin: { userId: await idOf(ADMIN.email), password: ADMIN.password },
    async codeFor(parameters) {
      const body = { account: ADMIN.email, password: ADMIN.password, ...parameters };
      return codeIn(await ask(app, 'POST /user/page/sign_in', { body }));
    },
    async newMember() {
      const email = `member-${randomUUID()}@example.org`;
      const named = { email, email_key: email, nick_name: 'Member' };
      await createAccount(
        db,
        { random: randomBytes, now: Date.now },
        { ...named, password_hash: 'of nobody' },
      );
      return idOf(email);
    },
    async addPlugin(key) {
      const pluginId = await addPlugin(community.db, { key });
      const content = JSON.stringify({
        format: 'plugin-package',
        formatVersion: 1,
        manifest: { name: key, main: 'main.js' },
        files: { 'main.js': '0' },
      });
      await addVersion(community.db, community.dataDir, {
        pluginId,
        version: '1.1.0',
        content,
        isCurrent: true,
      });
    },
    wait(milliseconds) {
      clock.now += milliseconds;
    },
    async stored() {
      const [accounts, sessions, links, changes, tools, tokens] = await Promise.all([
        db.selectFrom('account').selectAll().orderBy('user_id').execute(),
        db.selectFrom('session').select(['sid', 'revoked_at']).orderBy('sid').execute(),
        db.selectFrom('password_link').selectAll().execute(),
        db.selectFrom('member_change').selectAll().execute(),
        db.selectFrom('tool').selectAll().execute(),
        community.db.selectFrom('publish_token').selectAll().execute(),
      ]);
      return { accounts, sessions, links, changes, tools, tokens };
    },
  };
}
