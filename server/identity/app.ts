import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { createApp } from '../http/app.ts';
import { measureQueues } from '../http/gauges.ts';
import { demandCredential } from '../http/service-credential.ts';
import { deleteDueAccounts } from './accounts/deletion.ts';
import { serveOwnAccount } from './accounts/own-account.ts';
import { serveOwnAddress } from './addresses/own-address.ts';
import {
  serveCodeCalls,
  serveDeploymentCalls,
  servePublishGrantCalls,
  serveSessionCalls,
} from './calls/user-service-calls.ts';
import { cleanUpRegularly } from './clean-up.ts';
import { serveLinkedSignIns } from './federation/linked-sign-ins.ts';
import { serveKeys } from './keys/key-ring.ts';
import { sendDueAccountMail } from './mail/account-mails.ts';
import { serveMembers } from './members/routes.ts';
import { sendDueMail, serveNoticeMails, startSending } from './notice-mails/queue.ts';
import { countWaitingMails } from './notice-mails/store.ts';
import { type IdentityOptions, openContext } from './open-context.ts';
import { servePage } from './page/routes.ts';
import { serveOwnPassword } from './password/password.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import { authorizeCalls } from './sessions/caller.ts';
import { serveOwnSessions } from './sessions/sessions.ts';

const CLEAN_UP_EVERY = 10 * 60 * 1000;

/**
 * The user service (R 14.43 to 14.53), the calls of the sign-in page and the public keys of our access tokens. Only
 * the gateway should reach it.
 */
export async function createIdentity(options: IdentityOptions): Promise<FastifyInstance> {
  const { log, now, encryptor, keyRotation, serviceKeys, trustProxy = ['loopback'] } = options;
  const { registry = new Registry() } = options;
  const app = createApp({ log, trustProxy, emptyJson: true });
  await app.register(openContext, { ...options, registry });
  const { identity } = app;
  const { db, mailer } = identity;
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  demandCredential(app, {
    keys: serviceKeys,
    service: 'identity',
    takesBearer: ({ routeOptions: { config } }) =>
      config.takesBearer === true || (config.route !== undefined && config.route.access !== 'all'),
  });
  authorizeCalls(app);
  await servePage(app);
  await serveSessionCalls(app);
  serveCodeCalls(app);
  serveDeploymentCalls(app);
  servePublishGrantCalls(app);
  serveMembers(app);
  serveOwnPassword(app);
  serveOwnAddress(app);
  serveOwnAccount(app);
  serveSecondFactor(app);
  serveNoticeMails(app);
  serveOwnSessions(app);
  serveLinkedSignIns(app);
  serveKeys(app, identity.keys);
  measureQueues(app, { registry, log }, [
    {
      name: 'identity_mails_waiting',
      help: 'Mails that the mail server has not accepted yet',
      count: () => countWaitingMails(db),
    },
  ]);
  if (mailer) startSending(app, { ...identity, mailer, log }, [sendDueAccountMail, sendDueMail]);
  cleanUpRegularly(app, {
    db,
    now,
    every: CLEAN_UP_EVERY,
    log,
    deleteDue: () => deleteDueAccounts(identity, log),
    rotation: { now, encryptor, every: keyRotation },
  });
  return app;
}
