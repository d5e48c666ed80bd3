import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Registry } from 'prom-client';
import type { SignUp } from '../../shared/deploy-types.ts';
import { BACKCHANNEL_LOGOUT_PATH } from '../../shared/user-service.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import type { Encryptor } from '../encryption/encryptor.ts';
import { createOutgoingFetch } from '../http/outgoing.ts';
import { createPasswordHasher, openPasswordStrength } from './accounts/passwords.ts';
import { createBackground } from './base-context.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { DELETION_DELAY } from './lifetimes.ts';
import type { Mailer, MailSettings } from './mail/mailer.ts';
import { createIdentityMetrics } from './metrics.ts';
import type { OauthClient } from './oauth/clients.ts';
import type { DeletionContext } from './own-account/deletion.ts';
import type { IdentityTables } from './schema.ts';
import type { Random } from './secret.ts';
import { authenticateSessions } from './sessions/caller.ts';
import { GATEWAY_TIMEOUT } from './sessions/tokens.ts';
import type { SecondFactorRule } from './sign-in/context.ts';
import { PEER_TIMEOUT } from './sign-in/federation/method.ts';
import { createMethods } from './sign-in/federation/methods.ts';
import { DEFAULT_METHODS, signUpOf } from './sign-in/federation/settings.ts';
import type { MethodSettings } from './sign-in/federation/settings-schema.ts';

export type IdentityOptions = {
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
  /** Tools that may act for users (setting OAUTH_CLIENTS), beside those that administrators register; none by default. */
  oauthClients?: readonly OauthClient[];
  random?: Random;
  /** Where the metrics go. */
  registry?: Registry;
};

/** What all calls use. */
export type IdentityContext = DeletionContext & {
  registry: Registry;
  /** Milliseconds that a signing key is used. */
  keyRotation: number;
  /** Tools of the setting OAUTH_CLIENTS. */
  oauthClients: readonly OauthClient[];
};

declare module 'fastify' {
  interface FastifyInstance {
    identity: IdentityContext;
  }
}

/**
 * Makes of the settings what all areas use, and says who may call them; closing the app waits for work that no response
 * waited for.
 */
export const context = fp(
  async (app: FastifyInstance, options: IdentityOptions) => {
    const { pool, now, encryptor, publicUrl, ca, random = randomBytes, keyRotation } = options;
    const { gatewayUrl = publicUrl, peerTimeout = PEER_TIMEOUT, registry = new Registry() } = options;
    const db = openKysely<IdentityTables>(pool);
    const passwords = await createPasswordHasher(random);
    const mailer = await openMailer(options);
    const settings = options.methods ?? DEFAULT_METHODS;
    const fetch = createOutgoingFetch({ ca, timeout: peerTimeout });
    const background = createBackground();
    const passwordStrength = openPasswordStrength();
    app.decorate('identity', {
      db,
      now,
      random,
      encryptor,
      passwords,
      passwordStrength,
      ...(mailer && { mailer }),
      background,
      metrics: createIdentityMetrics(registry),
      registry,
      keyRotation,
      keys: createKeyRing({ db, encryptor, now }),
      methods: await createMethods(settings, { db, passwords, now, publicUrl, fetch, ca }),
      signUp: signUpOf(settings, options.signUp ?? 'open'),
      secondFactor: options.secondFactor ?? 'optional',
      oauthClients: options.oauthClients ?? [],
      deletionDelay: options.deletionDelay ?? DELETION_DELAY,
      peerTimeout,
      publicUrl,
      backchannelUrl: gatewayUrl + BACKCHANNEL_LOGOUT_PATH,
      fetch: createOutgoingFetch({ ca, timeout: GATEWAY_TIMEOUT }),
    });
    app.addHook('onClose', async () => {
      await background.flush();
      await passwordStrength.close();
    });
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    authenticateSessions(app, options.serviceKeys);
  },
  { name: 'identity' },
);

/** Loads the mail library only when it is needed. */
async function openMailer({ mail, ca }: Pick<IdentityOptions, 'mail' | 'ca'>): Promise<Mailer | undefined> {
  if (!mail) return undefined;
  const { createMailer } = await import('./mail/mailer.ts');
  return createMailer({ ...mail, ca });
}
