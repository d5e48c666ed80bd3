import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createEncryptor } from '../../server/encryption/encryptor.ts';
import { createLog } from '../../server/http/log.ts';
import { accountKey, createAccount } from '../../server/identity/accounts/account.ts';
import { createPasswordHasher } from '../../server/identity/accounts/passwords.ts';
import { createIdentity } from '../../server/identity/app.ts';
import type { MailSettings } from '../../server/identity/mail/mailer.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import type { OauthClient } from '../../server/identity/oauth/clients.ts';
import { prepareIdentity } from '../../server/identity/prepare.ts';
import type { IdentityDb, IdentityTables } from '../../server/identity/schema.ts';
import type { SecondFactorRule } from '../../server/identity/sign-in/context.ts';
import type { MethodSettings } from '../../server/identity/sign-in/federation/settings-schema.ts';
import { ROLE_SUPER_ADMIN } from '../../shared/constants.ts';
import type { SignUp } from '../../shared/deploy-types.ts';
import { testDatabase } from './database.ts';
import { GATEWAY_TO_IDENTITY, SERVICE_KEYS } from './service-keys.ts';

export const PUBLIC_URL = 'https://square.example';
export const CALLBACK = `${PUBLIC_URL}/api/auth/callback?nonce=n0nce`;
/** Data that a gateway stores for a pending sign-in. */
const VERIFIER = randomBytes(32).toString('base64url');
/** Data that it sends with a code of a sign-in for CALLBACK. */
export const SHOWN = { redirect_uri: CALLBACK, code_verifier: VERIFIER };
/** The call that exchanges the code, which is appended. */
export const EXCHANGE = `GET /user/login/code/user?${new URLSearchParams(SHOWN)}&code=`;
export const ADMIN = { email: 'root@example.org', password: 'correct-horse-battery' };

/** The encryptor of test services. */
export const ENCRYPTOR = createEncryptor([randomBytes(32)], 'identity');

/** Rotation of signing keys of test services, in milliseconds. */
export const KEY_ROTATION = 90 * 24 * 60 * 60 * 1000;

/** A configured mail server where nothing listens. */
export const SOME_MAIL: Omit<MailSettings, 'ca'> = {
  server: { host: '127.0.0.1', port: 1, tls: 'none' },
  from: 'square@example.org',
};

/** An address without DNS lookup where nothing listens. */
const NO_GATEWAY = 'http://127.0.0.1:1';

/** The part of a tap test that is used here. */
type Teardown = { teardown(handler: () => Promise<void>): void };

/** A separate identity service for a test. */
export type TestIdentity = {
  app: FastifyInstance;
  /** Starts one more process's service on the same database. */
  startAnother: () => Promise<FastifyInstance>;
  db: IdentityDb;
  /** URL of the database. */
  databaseUrl: string;
  /** The service's clock in milliseconds since 1970; tests can set it. */
  clock: { now: number };
  /** The service's log as text. */
  logged: () => string;
};

/** Collects log lines. */
export function logToMemory() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog({ level: 'trace', version: 'test', destination }), logged: () => lines.join('') };
}

/** An empty folder that is deleted after the test. */
export async function testFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-identity-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty database with the service's schema. */
export function identityDatabase(t: Teardown) {
  return testDatabase<IdentityTables>(t, {
    schema: 'identity',
    migrations: identityMigrations,
    name: 'identity',
  });
}

const hasher = createPasswordHasher(randomBytes);
const hashOfAdmin = hasher.then(({ hash }) => hash(ADMIN.password));

/** Adds ADMIN as a first start does, without rating the password: the worker for that takes half a second to start. */
async function addFirstAdmin(db: IdentityDb, now: () => number): Promise<void> {
  const named = {
    email: ADMIN.email,
    email_key: accountKey(ADMIN.email),
    nick_name: 'Admin',
    user_name: 'admin',
  };
  const proved = { email_verified_at: new Date(now()), password_hash: await hashOfAdmin };
  await createAccount(db, { random: randomBytes, now }, { ...named, ...proved, role: ROLE_SUPER_ADMIN });
}

/** Starts a prepared identity service with one administrator (ADMIN), not listening yet. */
export async function testIdentity(
  t: Teardown,
  {
    publicUrl = PUBLIC_URL,
    gatewayUrl = NO_GATEWAY,
    methods,
    signUp,
    secondFactor,
    deletionDelay,
    peerTimeout,
    mail,
    ca,
    oauthClients,
  }: {
    publicUrl?: string;
    gatewayUrl?: string;
    methods?: readonly MethodSettings[];
    signUp?: SignUp;
    secondFactor?: SecondFactorRule;
    deletionDelay?: number;
    peerTimeout?: number;
    mail?: Omit<MailSettings, 'ca'>;
    ca?: string;
    oauthClients?: readonly OauthClient[];
  } = {},
): Promise<TestIdentity> {
  const { pool, db, url } = await identityDatabase(t);
  const { log, logged } = logToMemory();
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const dataDir = await testFolder(t);
  await addFirstAdmin(db, now);
  await prepareIdentity({
    pool,
    log,
    now,
    encryptor: ENCRYPTOR,
    keyRotation: KEY_ROTATION,
    dataDir,
    admin: {},
    terminal: false,
  });
  const start = async () => {
    const app = await createIdentity({
      pool,
      log,
      now,
      encryptor: ENCRYPTOR,
      keyRotation: KEY_ROTATION,
      serviceKeys: SERVICE_KEYS,
      publicUrl,
      gatewayUrl,
      ...(methods && { methods }),
      ...(signUp && { signUp }),
      ...(secondFactor && { secondFactor }),
      ...(deletionDelay !== undefined && { deletionDelay }),
      ...(peerTimeout !== undefined && { peerTimeout }),
      ...(mail && { mail }),
      ...(ca !== undefined && { ca }),
      ...(oauthClients && { oauthClients }),
    });
    t.teardown(() => app.close());
    services.set(app, { db, now });
    return app;
  };
  return { app: await start(), startAnother: start, db, databaseUrl: url, clock, logged };
}

/** Response of a call. */
export type Answer = { status: number; headers: Record<string, unknown>; body: AnswerBody };
type AnswerBody = {
  code: number | string;
  message: string;
  data: Record<string, unknown>;
  errors?: { pointer: string; message: string }[];
};

type Asked = { bearer?: string; body?: unknown; headers?: Record<string, string> };

/** Calls of the sign-in page with the parameters of a gateway. */
const BEGUN_BY_GATEWAY = /^\/user\/page\/(?:sign_in|sign_up|sso)$/;

/** Body of a sign-in for a gateway, with its code challenge unless the test has another. */
function begunByGateway(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'code_challenge' in body) return body;
  if (!('redirect_uri' in body) || !String(body.redirect_uri).includes('/api/auth/callback')) return body;
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  return { ...body, code_challenge: challenge, code_challenge_method: 'S256' };
}

/** Makes a call of the gateway without a network: `GET /path`, `POST /path` or `PUT /path`. A string body is sent as it is. */
export async function ask(app: FastifyInstance, call: string, given: Asked = {}): Promise<Answer> {
  const [method, url = ''] = call.split(' ');
  const asked = BEGUN_BY_GATEWAY.test(url) ? { ...given, body: begunByGateway(given.body) } : given;
  const hasBody = asked.body !== undefined;
  const reply = await app.inject({
    method: method === 'POST' || method === 'PUT' ? method : 'GET',
    url,
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      authorization: asked.bearer === undefined ? GATEWAY_TO_IDENTITY : `Bearer ${asked.bearer}`,
      ...asked.headers,
    },
    ...(hasBody && { payload: typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body) }),
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json<AnswerBody>() };
}

let people = 0;
type Service = { db: IdentityDb; now: () => number };
/** Databases and clocks of the services that testIdentity started. */
const services = new WeakMap<FastifyInstance, Service>();

/** Creates an account with an unverified address, as in releases without mails. */
async function addPerson(
  { db, now }: Service,
  person: { email: string; nick_name: string; password: string },
) {
  const { password, ...named } = person;
  const password_hash = await (await hasher).hash(password);
  await createAccount(
    db,
    { random: randomBytes, now },
    { ...named, email_key: accountKey(person.email), password_hash },
  );
}

/** Marks the address of an account as verified. */
export async function ownAddress(db: IdentityDb, email: string): Promise<void> {
  const proved = { email_verified_at: new Date() };
  await db.updateTable('account').set(proved).where('email', '=', email).execute();
}

/** Adds an account and signs in to it. @returns the one-time code and the typed data */
export async function signUp(
  app: FastifyInstance,
  person: { email?: string; nick_name?: string; password?: string } = {},
) {
  people += 1;
  const typed = {
    email: `person${people}@example.org`,
    nick_name: `Person ${people}`,
    password: `violet-${people}-umbrella-tram`,
    ...person,
  };
  const service = services.get(app);
  if (!service) throw new Error('signUp needs a service of testIdentity.');
  await addPerson(service, typed);
  const answer = await ask(app, 'POST /user/page/sign_in', {
    body: { account: typed.email, password: typed.password, redirect_uri: CALLBACK },
  });
  return { ...typed, code: codeIn(answer) };
}

/** The one-time code in a response of the sign-in page. @throws an error with an answer that is none */
export function codeIn(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`sign-in answered ${JSON.stringify(answer.body)}`);
  return new URL(String(answer.body.data.continue_to)).searchParams.get('code') ?? '';
}

/** Renews tokens as a gateway does. */
export function renewTokens(app: FastifyInstance, token: string): Promise<Answer> {
  return ask(app, 'POST /user/refresh_token', {
    body: String(new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

export type Tokens = { access: string; refresh: string; userId: number };

/** Exchanges a code of a sign-in for CALLBACK. */
export async function exchange(app: FastifyInstance, code: string): Promise<Tokens> {
  return tokensIn(await ask(app, EXCHANGE + encodeURIComponent(code)));
}

/** The tokens in the response of a sign-in. */
export function tokensIn({ body }: Answer): Tokens {
  return {
    access: String(body.data.access_token),
    refresh: String(body.data.refresh_token),
    userId: Number(body.data.user_id),
  };
}

/** Signs up a new user and exchanges the code. */
export async function newPerson(app: FastifyInstance): Promise<Tokens> {
  return exchange(app, (await signUp(app)).code);
}
