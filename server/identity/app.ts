import type { FastifyInstance } from 'fastify';
import { createApp } from '../http/app.ts';
import { accounts } from './accounts/plugin.ts';
import { cleanUp } from './clean-up.ts';
import { context, type IdentityOptions } from './context.ts';
import { keys } from './keys/plugin.ts';
import { mail } from './mail/plugin.ts';
import { members } from './members/plugin.ts';
import { oauth } from './oauth/plugin.ts';
import { ownAccount } from './own-account/plugin.ts';
import { sessions } from './sessions/plugin.ts';
import { signIn } from './sign-in/plugin.ts';

/**
 * The user service (R 14.43 to 14.53), the calls of the sign-in page and the public keys of our access tokens. Only
 * the gateway should reach it.
 */
export async function createIdentity(options: IdentityOptions): Promise<FastifyInstance> {
  const { log, trustProxy = ['loopback'] } = options;
  const app = createApp({ log, trustProxy, emptyJson: true });
  await app.register(context, options);
  await app.register(keys);
  await app.register(accounts);
  await app.register(sessions);
  await app.register(mail);
  await app.register(signIn);
  await app.register(members);
  await app.register(ownAccount);
  await app.register(oauth);
  await app.register(cleanUp);
  return app;
}
