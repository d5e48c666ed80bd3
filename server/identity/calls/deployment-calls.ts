import type { FastifyInstance } from 'fastify';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import type { SignInMethod } from '../methods/method.ts';
import { answerAnyone, answerBearer } from './answer.ts';

/** Calls whose answer depends on what the deployment has set up (specification section 7). */
export function serveDeploymentCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.privateConfig, async () => logoutEntries(identity.methods));

  answerBearer(app, identity, userServiceCalls.bind, async () => {
    throw appError('NOT_IMPLEMENTED');
  });

  answerAnyone(app, userServiceCalls.thirdPartyAuth, async () => {
    throw appError('NOT_IMPLEMENTED');
  });
}

/** A '{method}-private' entry for each method with a sign-out of its own. */
function logoutEntries(methods: readonly SignInMethod[]): Record<string, SignInMethod['logout']> {
  return Object.fromEntries(
    methods.flatMap(({ name, logout }) => (logout ? [[`${name}-private`, logout]] : [])),
  );
}
