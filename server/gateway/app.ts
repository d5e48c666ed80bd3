import { randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { COMMUNITY_TIMEOUT, REFRESH_NETWORK_RETRY } from '../../shared/constants.ts';
import { createApp } from '../http/app.ts';
import { createAnonymousReads } from './answers/anonymous-reads.ts';
import { type CacheOutcome, createAnswerCache } from './answers/answer-cache.ts';
import { exchangeCode } from './auth/exchange-code.ts';
import type { AuthParts } from './auth/parts.ts';
import { createSignIn } from './auth/providers.ts';
import { createRefresh } from './auth/refresh.ts';
import { createRevalidate } from './auth/revalidate.ts';
import { registerAuth } from './auth/routes.ts';
import { endElsewhere } from './auth/sign-out.ts';
import { createTransactions } from './auth/transaction.ts';
import { registerCollector } from './collector.ts';
import { guardRequests } from './guards.ts';
import { readJsonBodies } from './json-bodies.ts';
import { createLanguageChoice } from './language.ts';
import { limitRequests } from './limits/limit-requests.ts';
import { createGatewayMetrics } from './metrics.ts';
import type { GatewayOptions } from './options.ts';
import { createNeedsReader } from './pages/needs.ts';
import { registerPages } from './pages/routes.ts';
import { registerProxy } from './proxy/routes.ts';
import { proxyTable } from './proxy/table.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { openShared } from './redis/open-shared.ts';
import { logRequests } from './request-log.ts';
import { createFitted } from './session/fitted.ts';
import { createHolder } from './session/holder.ts';
import { createRoles } from './session/roles.ts';
import { sessionHash } from './session/session.ts';
import { createSessionCookie } from './session/session-cookie.ts';
import { createSessions } from './session/sessions.ts';
import { rememberRoles, watchSessions } from './session/watch.ts';
import { openUpstreams } from './upstream/upstream.ts';

/** Bytes of answers and of pages kept for visitors without a session. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const PAGE_BYTES = 32 * 1024 * 1024;

/**
 * The gateway: cookies in, bearer out (design section 4). It serves the pages, signs people in and out, and passes the
 * contract's calls on to the services behind it, which it knows by their addresses alone.
 * @throws Error when EXTRA_CMT_ROUTES holds something else than routes
 */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { config, keys, log, now, pages } = options;
  const publicUrl = new URL(config.publicUrl);
  const secure = publicUrl.protocol === 'https:';
  const limits = { idle: config.session.idle, max: config.session.max };
  const metrics = createGatewayMetrics(options.registry);
  const { upstreams, signInAt, close } = openUpstreams(
    { ...options.upstreams, identity: signInAddress(options), collector: config.collectorUrl },
    config.upstreams.ca,
    rootCertificates,
    metrics.watchUpstream,
  );
  const shared = await openShared({ redisUrl: config.redisUrl, keys, log, now, onRedis: metrics.setRedis });
  const { state } = shared;
  const cookie = createSessionCookie({ keys, secure, onWrite: metrics.observeCookie });
  const { identity } = upstreams;
  const { provider, userService } = createSignIn({ config, identity, signInAt, log, now });
  const fitted = createFitted({
    ...{ cookie, state, limits },
    onOutgrown: (session) => {
      log.error(
        { event: 'session_outgrown', session: sessionHash(session) },
        'new tokens fit into no cookies',
      );
      void endElsewhere({ provider, log }, session);
    },
  });
  const refresh = fitted(
    createRefresh({
      ...{ provider, state, limits, log },
      retryAfter: options.refreshRetryAfter ?? REFRESH_NETWORK_RETRY,
      onOutcome: metrics.countRefresh,
    }),
  );
  const revalidate = createRevalidate({ provider, refresh, state, limits, fits: cookie.fits, now, log });
  const holderOf = createHolder({ cookie, state, limits, now });
  const sessions = watchSessions(
    createSessions({ cookie, state, limits, refresh, revalidate, fitted, now }),
    metrics.countSession,
  );
  const { roleOf, lastRole } = rememberRoles(createRoles({ community: upstreams.community, now, log }));
  const chooseLanguage = createLanguageChoice(config);
  const onTake = (outcome: CacheOutcome): void => metrics.countCache('answers', outcome);
  const answers = createAnswerCache({ bytes: ANSWER_BYTES, now, onTake });
  const anonymousReads = createAnonymousReads(answers, upstreams.community);
  const transactions = createTransactions({ keys, secure, state, now });
  const auth: AuthParts = {
    ...{ config, sessions, state, transactions, provider, userService, roleOf, log, now },
  };

  const app = createApp({
    ...{ log, trustProxy: config.trustProxy, requestId: randomUUID },
    ...(options.closeWithin !== undefined && { closeWithin: options.closeWithin }),
  });
  app.server.requestTimeout = COMMUNITY_TIMEOUT;
  app.addHook('onClose', close);
  app.addHook('onClose', async () => shared.close());
  logRequests(app, { metrics, pseudonymsOf: createPseudonyms(keys), lastRole });
  guardRequests(app, publicUrl, metrics);
  await limitRequests(app, {
    count: shared.count,
    factor: config.rateLimitFactor,
    holder: (request) => holderOf(request.headers.cookie),
  });
  readJsonBodies(app);
  registerAuth(app, auth);
  const { collector } = upstreams;
  await registerCollector(app, { collector, publicUrl, chooseLanguage, deployType: config.deployType });
  await registerProxy(app, proxyTable(config.extraCmtRoutes, { signInPage: userService !== undefined }), {
    sessions,
    upstreams,
    anonymousReads,
    roleOf,
    chooseLanguage,
    publicUrl,
  });
  if (pages) {
    await registerPages(app, {
      ...{ config, sessions, roleOf, chooseLanguage, log, now },
      entry: pages.entry,
      clientDir: pages.clientDir,
      readNeeds: createNeedsReader(upstreams.community, anonymousReads),
      pageCache: createAnswerCache({
        bytes: PAGE_BYTES,
        now,
        onTake: (outcome) => metrics.countCache('pages', outcome),
      }),
      exchange: (request, code) =>
        exchangeCode(auth, request, { code, app: undefined, transaction: undefined }),
    });
  }
  return app;
}

/** Behind an OpenID Connect provider there need be no user service. */
function signInAddress({ config: { auth }, upstreams }: GatewayOptions): string {
  return auth.provider === 'oidc' ? (auth.oidc.issuer ?? upstreams.identity) : upstreams.identity;
}
