import type { Fault } from './fault.ts';

const EXCHANGE = 'server/gateway/proxy/exchange.ts';
const SESSION = 'server/gateway/session/session.ts';

/** Sessions: refresh, replay, grace period and end. */
export const SESSION_FAULTS: readonly Fault[] = [
  {
    file: 'server/gateway/session/shared-state.ts',
    text: 'if (current) return current;',
    replacement: '',
    tests: ['test/gateway/session/refresh.test.ts'],
    why: 'concurrent calls refresh several times, and a one-time token ends the session',
  },
  {
    file: 'server/gateway/session/shared-state.ts',
    text: 'if (known && known.generation > session.generation) return Promise.resolve(known);',
    replacement: '',
    tests: ['test/system/redis/state.test.ts'],
    why: 'a request with an older cookie refreshes with a replaced token',
  },
  {
    file: SESSION,
    text: 'access_expires - now <= REFRESH_ADVANCE;',
    replacement: 'access_expires - now <= 0;',
    tests: ['test/gateway/session/sessions.test.ts', 'test/gateway/session/refresh.test.ts'],
    why: 'tokens expire before they reach the service',
  },
  {
    file: EXCHANGE,
    text: 'if (statusCode === 401 && mayRefresh) return controller.abort(TOKEN_REJECTED);',
    replacement: '',
    tests: ['test/gateway/session/refresh.test.ts'],
    why: 'a token that was revoked early signs users out',
  },
  {
    file: EXCHANGE,
    text: 'send({ ...exchange, options: { ...options, headers }, mayRefresh: false });',
    replacement: 'send({ ...exchange, options: { ...options, headers } });',
    tests: ['test/gateway/session/refresh.test.ts'],
    why: 'a call that is always refused is replayed for ever',
  },
  {
    file: EXCHANGE,
    text: 'call.request.session !== null && !(body instanceof Readable)',
    replacement: 'call.request.session !== null',
    tests: ['test/gateway/session/refresh.test.ts', 'test/gateway/proxy/bodies.test.ts'],
    why: 'an upload is replayed without its body',
  },
  {
    file: EXCHANGE,
    text: "mayRetry: method === 'GET' || method === 'HEAD',",
    replacement: 'mayRetry: true,',
    tests: ['test/gateway/proxy/failures.test.ts'],
    why: 'a completed change is repeated',
  },
  {
    file: 'server/gateway/session/refresh.ts',
    text: 'await state.revoke(session.id, endsAt(session, config.session));',
    replacement: '',
    tests: ['test/gateway/session/refresh.test.ts', 'test/gateway/cache/cached-reads.test.ts'],
    why: 'an ended session continues with a copy of its cookie',
  },
  {
    file: 'server/gateway/session/refresh.ts',
    text: 'if (newer) return newer;',
    replacement: '',
    tests: ['test/system/redis/slow.test.ts'],
    why: 'two gateways that refresh at the same time sign the user out',
  },
  {
    file: SESSION,
    text: ' || now >= session.seen + limits.idle',
    replacement: '',
    tests: ['test/gateway/session/sessions.test.ts'],
    why: 'an idle session does not end',
  },
  {
    file: SESSION,
    text: 'Math.min(session.started + limits.max, session.refresh_expires ?? Number.POSITIVE_INFINITY)',
    replacement: 'session.refresh_expires ?? session.started + limits.max',
    tests: ['test/gateway/session/sessions.test.ts'],
    why: 'a used session exceeds its maximum lifetime',
  },
  {
    file: 'server/gateway/session/sessions.ts',
    text: 'if (state.isKnownRevoked(fromCookie.id)) return [];',
    replacement: '',
    tests: ['test/gateway/session/sessions.test.ts', 'test/gateway/sign-in/sign-out.test.ts'],
    why: 'a late response restores a session after the sign-out',
  },
  {
    file: 'server/gateway/session/roles.ts',
    text: 'return role === 1 || role === 2;',
    replacement: 'return role !== null;',
    tests: ['test/gateway/proxy/routes.test.ts'],
    why: 'every user is an administrator of the help center',
  },
  {
    file: 'server/identity/sessions/caller.ts',
    text: 'const isReplaced = token.replaced_at !== null && token.replaced_at.getTime() + REPLACED_TOKEN_GRACE <= now;',
    replacement: 'const isReplaced = token.replaced_at !== null;',
    tests: ['test/identity/sessions/sessions.test.ts'],
    why: 'a call during a token refresh ends the session',
  },
  {
    file: 'server/identity/sessions/caller.ts',
    text: "if (token.revoked_at !== null) return 'signed_out';",
    replacement: '',
    tests: ['test/identity/sessions/sessions.test.ts'],
    why: 'a stolen token can be used after the sign-out',
  },
  {
    file: 'server/identity/sessions/caller.ts',
    text: 'if (!user || user.disabled_at !== null) throw tokenInvalid();',
    replacement: 'if (!user) throw tokenInvalid();',
    tests: ['test/identity/sign-in.test.ts', 'test/identity/members/members.test.ts'],
    why: 'disabled users keep their access',
  },
  {
    file: 'server/identity/sessions/codes.ts',
    text: 'if (redirect_uri !== null && redirect_uri !== redirectUri) return false;',
    replacement: '',
    tests: ['test/identity/sessions/codes.test.ts'],
    why: 'a code is accepted for another address than its own',
  },
];
