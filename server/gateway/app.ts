import { randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { COMMUNITY_TIMEOUT, REFRESH_NETWORK_RETRY } from '../../shared/constants.ts';
import { createApp } from '../http/app.ts';
import { createAnonymousReads } from './answers/anonymous-reads.ts';
import { createAnswerCache } from './answers/answer-cache.ts';
import { exchangeCode } from './auth/exchange-code.ts';
import type { AuthParts } from './auth/parts.ts';
import { createRefresh } from './auth/refresh.ts';
import { registerAuth } from './auth/routes.ts';
import { createTransactions } from './auth/transaction.ts';
import { createUserService } from './auth/user-service.ts';
import { guardRequests } from './guards.ts';
import { readJsonBodies } from './json-bodies.ts';
import { createLanguageChoice } from './language.ts';
import { createGatewayMetrics } from './metrics.ts';
import type { GatewayOptions } from './options.ts';
import { createNeedsReader } from './pages/needs.ts';
import { registerPages } from './pages/routes.ts';
import { registerProxy } from './proxy/routes.ts';
import { proxyTable } from './proxy/table.ts';
import { logRequests } from './request-log.ts';
import { createRoles } from './session/roles.ts';
import { createSessionCookie } from './session/session-cookie.ts';
import { createSessions } from './session/sessions.ts';
import { createLocalState } from './session/shared-state.ts';
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
  const { upstreams, close } = openUpstreams(options.upstreams, config.upstreams.ca, rootCertificates);

  const state = createLocalState(now);
  const userService = createUserService(upstreams.identity);
  const refresh = createRefresh({
    userService,
    state,
    limits,
    now,
    log,
    retryAfter: options.refreshRetryAfter ?? REFRESH_NETWORK_RETRY,
    onOutcome: metrics.countRefresh,
  });
  const cookie = createSessionCookie({ keys, secure });
  const sessions = createSessions({ cookie, state, limits, refresh, now });
  const roleOf = createRoles({ community: upstreams.community, now, log });
  const chooseLanguage = createLanguageChoice(config);
  const answers = createAnswerCache({ bytes: ANSWER_BYTES, now });
  const anonymousReads = createAnonymousReads(answers, upstreams.community);
  const transactions = createTransactions({ keys, secure, state, now });
  const auth: AuthParts = { config, sessions, transactions, userService, roleOf, log, now };

  const app = createApp({ log, trustProxy: config.trustProxy, requestId: randomUUID });
  app.server.requestTimeout = COMMUNITY_TIMEOUT;
  app.addHook('onClose', close);
  logRequests(app, metrics.http);
  guardRequests(app, publicUrl, metrics);
  readJsonBodies(app);
  registerAuth(app, auth);
  await registerProxy(app, proxyTable(config.extraCmtRoutes), {
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
      pageCache: createAnswerCache({ bytes: PAGE_BYTES, now }),
      exchange: (request, code) => exchangeCode(auth, request, code),
    });
  }
  return app;
}
