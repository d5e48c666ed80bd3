import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { SignUp } from '../../shared/deploy-types.ts';
import { BACKCHANNEL_LOGOUT_PATH } from '../../shared/user-service.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import type { Encryptor } from '../encryption/encryptor.ts';
import { createApp } from '../http/app.ts';
import { measureQueues } from '../http/gauges.ts';
import { createOutgoingFetch } from '../http/outgoing.ts';
import { repeatWhileListening } from '../http/repeat.ts';
import { demandCredential } from '../http/service-credential.ts';
import { deleteDueAccounts } from './accounts/deletion.ts';
import { serveOwnAccount } from './accounts/own-account.ts';
import { createPasswordHasher, openPasswordStrength } from './accounts/passwords.ts';
import { serveOwnAddress } from './addresses/own-address.ts';
import {
  serveCodeCalls,
  serveDeploymentCalls,
  servePublishGrantCalls,
  serveSessionCalls,
} from './calls/user-service-calls.ts';
import { createBackground, type IdentityContext, type SecondFactorRule } from './context.ts';
import { serveLinkedSignIns } from './federation/linked-sign-ins.ts';
import { PEER_TIMEOUT } from './federation/method.ts';
import { createMethods } from './federation/methods.ts';
import { DEFAULT_METHODS, type MethodSettings, signUpOf } from './federation/settings.ts';
import { createKeyRing, type Rotation, rotateKeys, serveKeys } from './keys/key-ring.ts';
import { DELETION_DELAY } from './lifetimes.ts';
import { sendDueAccountMail } from './mail/account-mails.ts';
import type { Mailer, MailSettings } from './mail/mailer.ts';
import { serveMembers } from './members/routes.ts';
import { createIdentityMetrics } from './metrics.ts';
import { sendDueMail, serveNoticeMails, startSending } from './notice-mails/queue.ts';
import { countWaitingMails } from './notice-mails/store.ts';
import { servePage } from './page/routes.ts';
import { serveOwnPassword } from './password/password.ts';
import type { IdentityDb, IdentityTables } from './schema.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import type { Random } from './secret.ts';
import { authorizeCalls } from './sessions/caller.ts';
import { serveOwnSessions } from './sessions/sessions.ts';
import { GATEWAY_TIMEOUT } from './sessions/tokens.ts';
import { deleteExpiredRows } from './store.ts';

const CLEAN_UP_EVERY = 10 * 60 * 1000;

type IdentityOptions = {
  /** Uses the schema that prepareIdentity created. The caller closes it. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Encrypts secrets at rest, see loadEncryptor in prepare.ts. */
  encryptor: Encryptor;
  /** Milliseconds that a signing key is used. */
  keyRotation: number;
  /** Keys of the credential between our services (setting SERVICE_KEYS); all are accepted. */
  serviceKeys: readonly Buffer[];
  /** Origin that browsers see; sign-in returns to this origin only. */
  publicUrl: string;
  /** Address of the gateway for this service; defaults to `publicUrl`. */
  gatewayUrl?: string;
  /**
   * Peers whose X-Forwarded-For is trusted: the gateway, by default on the same machine. For other peers the header is
   * ignored, and rate limits use the address of the peer.
   */
  trustProxy?: string[];
  /** Sign-in methods; local accounts by default. */
  methods?: readonly MethodSettings[];
  /** Who may create a local account (setting SIGN_UP); anybody by default. */
  signUp?: SignUp;
  /** Who must have a second factor; nobody by default. */
  secondFactor?: SecondFactorRule;
  /** Milliseconds during which a sign-in cancels the deletion of an account; 14 days by default. */
  deletionDelay?: number;
  /** Absent when the deployment sends no mails. */
  mail?: Omit<MailSettings, 'ca'> | undefined;
  /** PEM of a private certificate authority of the deployment's other services. */
  ca?: string | undefined;
  /** Timeout in milliseconds for each request to another service during a sign-in. */
  peerTimeout?: number;
  random?: Random;
  /** Where the metrics go. */
  registry?: Registry;
};

/**
 * The user service (R 14.43 to 14.53), the calls of the sign-in page and the public keys of our access tokens. Only
 * the gateway should reach it.
 */
export async function createIdentity(options: IdentityOptions): Promise<FastifyInstance> {
  const {
    pool,
    log,
    now,
    encryptor,
    keyRotation,
    publicUrl,
    trustProxy = ['loopback'],
    random = randomBytes,
  } = options;
  const { gatewayUrl = publicUrl, peerTimeout = PEER_TIMEOUT } = options;
  const { registry = new Registry() } = options;
  const db = openKysely<IdentityTables>(pool);
  const passwords = await createPasswordHasher(random);
  const mailer = await openMailer(options);
  const settings = options.methods ?? DEFAULT_METHODS;
  const identity: IdentityContext = {
    db,
    now,
    random,
    encryptor,
    passwords,
    passwordStrength: openPasswordStrength(),
    ...(mailer && { mailer }),
    background: createBackground(),
    metrics: createIdentityMetrics(registry),
    keys: createKeyRing({ db, encryptor, now }),
    methods: await createMethods(settings, {
      db,
      passwords,
      now,
      publicUrl,
      fetch: createOutgoingFetch({ ca: options.ca, timeout: peerTimeout }),
      ca: options.ca,
    }),
    signUp: signUpOf(settings, options.signUp ?? 'open'),
    secondFactor: options.secondFactor ?? 'optional',
    deletionDelay: options.deletionDelay ?? DELETION_DELAY,
    peerTimeout,
    publicUrl,
    backchannelUrl: gatewayUrl + BACKCHANNEL_LOGOUT_PATH,
    fetch: createOutgoingFetch({ ca: options.ca, timeout: GATEWAY_TIMEOUT }),
  };
  const app = createApp({ log, trustProxy, emptyJson: true });
  cleanUpRegularly(app, {
    db,
    now,
    every: CLEAN_UP_EVERY,
    log,
    deleteDue: () => deleteDueAccounts(identity, log),
    rotation: { now, encryptor, every: keyRotation },
  });
  app.addHook('onClose', async () => {
    await identity.background.flush();
    await identity.passwordStrength.close();
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  demandCredential(app, {
    keys: options.serviceKeys,
    service: 'identity',
    takesBearer: ({ routeOptions: { config } }) =>
      config.takesBearer === true || (config.route !== undefined && config.route.access !== 'all'),
  });
  authorizeCalls(app, identity);
  await servePage(app, identity);
  await serveSessionCalls(app, identity);
  serveCodeCalls(app, identity);
  serveDeploymentCalls(app, identity);
  servePublishGrantCalls(app, identity);
  serveMembers(app, identity);
  serveOwnPassword(app, identity);
  serveOwnAddress(app, identity);
  serveOwnAccount(app, identity);
  serveSecondFactor(app, identity);
  serveNoticeMails(app, identity);
  measureQueues(app, { registry, log }, [
    {
      name: 'identity_mails_waiting',
      help: 'Mails that the mail server has not accepted yet',
      count: () => countWaitingMails(db),
    },
  ]);
  if (mailer) startSending(app, { ...identity, mailer, log }, [sendDueAccountMail, sendDueMail]);
  serveOwnSessions(app, identity);
  serveLinkedSignIns(app, identity);
  serveKeys(app, identity.keys);
  return app;
}

/** Loads the mail library only when it is needed. */
async function openMailer({ mail, ca }: Pick<IdentityOptions, 'mail' | 'ca'>): Promise<Mailer | undefined> {
  if (!mail) return undefined;
  const { createMailer } = await import('./mail/mailer.ts');
  return createMailer({ ...mail, ca });
}

type CleanUp = {
  db: IdentityDb;
  now: () => number;
  /** Milliseconds between two rounds, and before the first. */
  every: number;
  rotation: Rotation;
  log: FastifyBaseLogger;
  deleteDue: () => Promise<unknown>;
};

/** Rotates signing keys, deletes expired rows and deletes due accounts while the app listens. */
export function cleanUpRegularly(app: FastifyInstance, options: CleanUp): void {
  const { db, now, every, rotation, log, deleteDue } = options;
  const jobs: [what: string, run: () => Promise<unknown>][] = [
    ['signing key rotation', () => rotateKeys(db, rotation)],
    ['deleting expired rows', () => deleteExpiredRows(db, now())],
    ['deleting due accounts', deleteDue],
  ];
  for (const [what, work] of jobs) {
    repeatWhileListening(app, {
      every,
      first: every,
      log,
      failed: `${what} failed`,
      recovered: `${what} succeeds again`,
      async run() {
        await work();
      },
    });
  }
}
