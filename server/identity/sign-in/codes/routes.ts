import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { ToolScope } from '../../../../shared/entities/tool.ts';
import { userServiceCalls } from '../../../../shared/user-service.ts';
import { validationFailed } from '../../accounts/account.ts';
import { implementOpenCall } from '../../calls.ts';
import { CODE_LIFETIME } from '../../lifetimes.ts';
import { implementBearerCall } from '../../sessions/bearer-call.ts';
import { exchangeCode, issueCode } from './codes.ts';

/** Calls that issue and exchange one-time codes (R 14.46 to 14.48). */
export function serveCodeCalls(app: FastifyInstance): void {
  const { identity } = app;
  implementBearerCall(app, userServiceCalls.loginCode, async ({ session }) => {
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

  implementOpenCall(app, userServiceCalls.exchangeCode, ({ query, request }) =>
    exchangeCode(identity, presentedCode(query), request),
  );

  implementOpenCall(app, userServiceCalls.exchangeOauth2Code, ({ body, request }) =>
    exchangeCode(identity, presentedCode(body), request),
  );
}

const Scopes = Type.Array(ToolScope, { minItems: 1, uniqueItems: true });

type CodeOfSignIn = Static<(typeof userServiceCalls)['exchangeCode']['query']>;

/** @throws VALIDATION_FAILED for a scope that is not one of tools */
function presentedCode({
  code,
  code_verifier: codeVerifier,
  redirect_uri: redirectUri,
  scope,
}: CodeOfSignIn) {
  const scopes = scope?.split(' ');
  if (scopes && !Check(Scopes, scopes)) throw validationFailed('/scope', 'must name scopes of tools');
  return { code, codeVerifier, redirectUri, scopes };
}
