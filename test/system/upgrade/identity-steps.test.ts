import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createPasswordHasher } from '../../../server/identity/accounts/passwords.ts';
import { createIdentity } from '../../../server/identity/app.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { prepareIdentity } from '../../../server/identity/prepare.ts';
import { type IdentityTables, SCHEMA } from '../../../server/identity/schema.ts';
import { testDatabase } from '../../support/database.ts';
import {
  ADMIN,
  ask,
  CALLBACK,
  codeIn,
  ENCRYPTOR,
  exchange,
  KEY_ROTATION,
  PUBLIC_URL,
  renewTokens,
  testFolder,
} from '../../support/identity.ts';
import { SERVICE_KEYS } from '../../support/service-keys.ts';
import { IDENTITY_ROWS, REFRESH_TOKEN } from './identity-rows.ts';
import { countRows, fillAt, type Rows, stepsOf } from './rows.ts';

const PASSWORD = 'violet-umbrella-tram';
const KID = 'an-older-key';
const log = pino({ level: 'silent' });
const dataDir = await testFolder(t);
const hasher = await createPasswordHasher(randomBytes);
const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
const [privateJwk, publicJwk] = [await exportJWK(privateKey), await exportJWK(publicKey)];
const sealedJwk = ENCRYPTOR.encrypt(JSON.stringify(privateJwk), `signing key ${KID}`);
const ROWS: readonly Rows[] = [
  ...IDENTITY_ROWS,
  {
    from: '0001',
    sql: `
      update account set password_hash = '${await hasher.hash(PASSWORD)}' where user_name = 'ada';
      insert into signing_key (kid, sealed_jwk, public_jwk, created_at, signs_from) values ('${KID}', '${sealedJwk}',
        '${JSON.stringify({ ...publicJwk, kid: KID, alg: 'EdDSA', use: 'sig' })}', now(), now())`,
  },
];

/** Starts the service on the rows of a release up to the migration. */
async function startOn(t: Test, step: string) {
  const database = await testDatabase<IdentityTables>(t, { schema: SCHEMA, name: 'step' });
  const { pool } = database;
  await fillAt(database, { schema: SCHEMA, migrations: identityMigrations, rows: ROWS, step });
  const before = await countRows(pool, SCHEMA);
  const given = { pool, log, now: Date.now, encryptor: ENCRYPTOR, keyRotation: KEY_ROTATION };
  await prepareIdentity({ ...given, dataDir, admin: ADMIN, terminal: false });
  const app = await createIdentity({
    ...given,
    serviceKeys: SERVICE_KEYS,
    publicUrl: PUBLIC_URL,
    gatewayUrl: 'http://127.0.0.1:1',
  });
  t.teardown(() => app.close());
  return { pool, before, app };
}

for (const step of stepsOf(identityMigrations)) {
  t.test(`sessions and passwords of a release up to ${step} stay valid`, async (t) => {
    const { pool, before, app } = await startOn(t, step);
    const after = await countRows(pool, SCHEMA);
    for (const [table, count] of before) t.ok((after.get(table) ?? 0) >= count, table);
    const refreshed = await renewTokens(app, REFRESH_TOKEN);
    t.match(refreshed.body, { code: 0, data: { access_token: String } }, 'sessions stay valid');
    const next = await renewTokens(app, String(refreshed.body.data.refresh_token));
    t.match(next.body, { code: 0, data: { access_token: String } }, 'and go on');
    const signedIn = await ask(app, 'POST /user/page/sign_in', {
      body: { account: 'ada@example.org', password: PASSWORD, redirect_uri: CALLBACK },
    });
    const { access } = await exchange(app, codeIn(signedIn));
    const info = await ask(app, 'GET /user/userinfo', { bearer: access });
    t.hasStrict(info.body.data, { nick_name: 'Ada', email: 'ada@example.org' });
    const sessions = await ask(app, 'GET /user/session/list', { bearer: access });
    t.hasStrict(sessions.body, { code: 0, data: { session_list: [{}, {}] } });
    const keys = await app.inject('/.well-known/jwks.json');
    t.match(keys.body, KID, 'access tokens stay valid');
  });
}
