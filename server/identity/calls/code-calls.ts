import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { exchangeCode } from '../codes/exchange-code.ts';
import { issueCode } from '../codes/issue-code.ts';
import type { IdentityContext } from '../context.ts';
import { CODE_LIFETIME } from '../lifetimes.ts';
import { answerAnyone, answerBearer } from './answer.ts';

/** Calls that make and take one-time codes (specification section 7). */
export function serveCodeCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.loginCode, async ({ session }) => {
    const code = await issueCode(identity, {
      userId: session.user_id,
      method: session.login_method,
      source: session.source,
      redirectUri: null,
      codeChallenge: null,
      authenticatedAt: session.authenticated_at,
    });
    return { code, expires_in: CODE_LIFETIME / 1000 };
  });

  answerAnyone(app, userServiceCalls.exchangeCode, ({ query, request }) =>
    exchangeCode(identity, shownIn(query), request),
  );

  answerAnyone(app, userServiceCalls.exchangeOauth2Code, ({ body, request }) =>
    exchangeCode(identity, shownIn(body), request),
  );
}

type CodeOfSignIn = Static<(typeof userServiceCalls)['exchangeCode']['query']>;

function shownIn({ code, code_verifier: codeVerifier, redirect_uri: redirectUri }: CodeOfSignIn) {
  return { code, codeVerifier, redirectUri };
}
