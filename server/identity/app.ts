import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { BACKCHANNEL_LOGOUT_PATH } from '../../shared/user-service.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import type { Encryptor } from '../encryption/encryptor.ts';
import { allowEmptyJson, createApp } from '../http/app.ts';
import { createOutgoingFetch } from '../http/outgoing.ts';
import { serveOwnAccount } from './account/account.ts';
import { deleteDueAccounts } from './account/deletion.ts';
import { createPasswordHasher, openPasswordStrength } from './accounts/passwords.ts';
import { serveOwnAddress } from './addresses/own-address.ts';
import { servePublishGrantCalls } from './calls/publish-grant-calls.ts';
import { serveCodeCalls, serveDeploymentCalls, serveSessionCalls } from './calls/user-service-calls.ts';
import { createBackground, type IdentityContext, type SecondFactorRule } from './context.ts';
import { serveLinkedSignIns } from './federation/linked-sign-ins.ts';
import { PEER_TIMEOUT } from './federation/method.ts';
import { createMethods } from './federation/methods.ts';
import { DEFAULT_METHODS, type MethodSettings } from './federation/settings.ts';
import { createKeyRing, serveKeys } from './keys/key-ring.ts';
import { DELETION_DELAY } from './lifetimes.ts';
import type { Mailer, MailSettings } from './mail/mailer.ts';
import { serveMembers } from './members/routes.ts';
import { sendRegularly } from './notice-mails/queue.ts';
import { serveNoticeMails } from './notice-mails/routes.ts';
import { servePage } from './page/routes.ts';
import { serveOwnPassword } from './password/password.ts';
import type { IdentityTables } from './schema.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import type { Random } from './secret.ts';
import { GATEWAY_TIMEOUT } from './sessions/backchannel-logout.ts';
import { decorateCaller } from './sessions/caller.ts';
import { serveOwnSessions } from './sessions/own-sessions.ts';
import { startSweeping } from './sweep.ts';

const SWEEP_EVERY = 10 * 60 * 1000;

type IdentityOptions = {
  /** On the service's schema, which prepareIdentity has made. Not ended here. */
  pool: Pool;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Encrypts secrets at rest, see loadEncryptor in prepare.ts. */
  encryptor: Encryptor;
  /** Milliseconds that a signing key is in use. */
  keyRotation: number;
  /** The origin that browsers see; the only one that sign-in returns to. */
  publicUrl: string;
  /** Where the gateway is reached from here, when not by `publicUrl`. */
  gatewayUrl?: string;
  /**
   * Who may name the client's address in X-Forwarded-For: the gateway, which listens on the same machine unless the
   * service runs alone. From anyone else the header is ignored, and the address limits count the sender itself.
   */
  trustProxy?: string[];
  /** How people sign in; their own accounts here when not said. */
  methods?: readonly MethodSettings[];
  /** Who must have a second factor; nobody when not said. */
  secondFactor?: SecondFactorRule;
  /** Milliseconds in which a sign-in calls the deletion of an account off; 14 days when not said. */
  deletionDelay?: number;
  /** Absent where no mail is sent. */
  mail?: Omit<MailSettings, 'ca'> | undefined;
  /** PEM of a private authority that vouches for the deployment's other services. */
  ca?: string | undefined;
  /** Milliseconds that another service has for a step of a sign-in. */
  peerTimeout?: number;
  random?: Random;
};

/**
 * The user service of specification section 7, the sign-in page's calls and the public keys of our access tokens.
 * Meant to be reached by the gateway only.
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
  const db = openKysely<IdentityTables>(pool);
  const passwords = await createPasswordHasher(random);
  const mailer = await openMailer(options);
  const identity: IdentityContext = {
    db,
    now,
    random,
    encryptor,
    passwords,
    passwordStrength: openPasswordStrength(),
    ...(mailer && { mailer }),
    background: createBackground(),
    keys: createKeyRing({ db, encryptor, now }),
    methods: await createMethods(options.methods ?? DEFAULT_METHODS, {
      db,
      passwords,
      now,
      publicUrl,
      fetch: createOutgoingFetch({ ca: options.ca, timeout: peerTimeout }),
      ca: options.ca,
    }),
    secondFactor: options.secondFactor ?? 'optional',
    deletionDelay: options.deletionDelay ?? DELETION_DELAY,
    peerTimeout,
    publicUrl,
    backchannelUrl: gatewayUrl + BACKCHANNEL_LOGOUT_PATH,
    fetch: createOutgoingFetch({ ca: options.ca, timeout: GATEWAY_TIMEOUT }),
  };
  const app = createApp({ log, trustProxy });
  const stopSweeping = startSweeping({
    db,
    now,
    every: SWEEP_EVERY,
    log,
    deleteDue: () => deleteDueAccounts(identity, log),
    rotation: { now, encryptor, every: keyRotation },
  });
  app.addHook('onClose', stopSweeping);
  app.addHook('onClose', async () => {
    await identity.background.flush();
    await identity.passwordStrength.close();
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  decorateCaller(app);
  allowEmptyJson(app);
  await servePage(app, identity);
  serveSessionCalls(app, identity);
  serveCodeCalls(app, identity);
  serveDeploymentCalls(app, identity);
  servePublishGrantCalls(app, identity);
  serveMembers(app, identity);
  serveOwnPassword(app, identity);
  serveOwnAddress(app, identity);
  serveOwnAccount(app, identity);
  serveSecondFactor(app, identity);
  serveNoticeMails(app, identity);
  if (mailer) sendRegularly(app, { ...identity, mailer, log });
  serveOwnSessions(app, identity);
  serveLinkedSignIns(app, identity);
  serveKeys(app, identity.keys);
  return app;
}

/** What sends mails is loaded only where some are sent. */
async function openMailer({ mail, ca }: Pick<IdentityOptions, 'mail' | 'ca'>): Promise<Mailer | undefined> {
  if (!mail) return undefined;
  const { createMailer } = await import('./mail/mailer.ts');
  return createMailer({ ...mail, ca });
}
