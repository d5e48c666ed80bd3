import type { FastifyInstance } from 'fastify';
import { serveCodeCalls } from './codes/routes.ts';
import { serveDeploymentCalls } from './federation/calls.ts';
import { serveLinkedSignIns } from './federation/linked-sign-ins.ts';
import { servePage } from './page/routes.ts';
import { serveOwnPassword } from './password/password.ts';
import { serveSecondFactor } from './second-factor/routes.ts';

/**
 * How a session begins. `page` are the calls of our own sign-in page; `federation` asks directories and providers, and links
 * their accounts to ours; `password` and `second-factor` are what people prove, `attempts` limits guesses; `codes` become
 * sessions. `reauthenticate.ts` asks for a proof again before what a stolen session must not do.
 */
export async function signIn(app: FastifyInstance): Promise<void> {
  await servePage(app);
  serveCodeCalls(app);
  serveDeploymentCalls(app);
  serveLinkedSignIns(app);
  serveOwnPassword(app);
  serveSecondFactor(app);
}
