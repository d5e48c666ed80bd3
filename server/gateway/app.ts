import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { COMMUNITY_TIMEOUT } from '../../shared/constants.ts';
import { createApp } from '../http/app.ts';
import { readCookies } from '../http/cookies.ts';
import { createAnonymousReads } from './answers/anonymous-reads.ts';
import { type AnswerCache, createAnswerCache } from './answers/answer-cache.ts';
import { type CacheName, createAtOnce } from './answers/at-once.ts';
import { createSendShared } from './answers/send-shared.ts';
import { registerCollector } from './collector.ts';
import { registerDocs } from './docs/routes.ts';
import { guardRequests } from './guards.ts';
import { readJsonBodies } from './json-bodies.ts';
import { createLanguageChoice } from './language.ts';
import { createClientAddress } from './limits/client-address.ts';
import { createKnownCalls } from './limits/known-calls.ts';
import { isCall, limitRequests } from './limits/limit-requests.ts';
import { createTooManyPage } from './limits/too-many-page.ts';
import { createGatewayMetrics } from './metrics.ts';
import type { GatewayOptions } from './options.ts';
import { registerCrawlerFiles } from './pages/crawlers/routes.ts';
import { registerDeveloperDocs } from './pages/developer-docs/routes.ts';
import { createDeveloperDocs } from './pages/developer-docs/texts.ts';
import { createNeedsReader } from './pages/needs.ts';
import { registerProtocol } from './pages/protocol/routes.ts';
import { readProtocolTexts } from './pages/protocol/texts.ts';
import { registerPages } from './pages/routes.ts';
import { siteFactsOf } from './pages/site-facts.ts';
import { createParts } from './parts.ts';
import { registerProxy } from './proxy/routes.ts';
import { proxyTable } from './proxy/table.ts';
import { createPseudonyms } from './pseudonyms.ts';
import { createPublishTokenReader } from './publish-token.ts';
import { createLineWriter, logRequests } from './request-log.ts';
import { keepsAccounts } from './sign-in/accounts-kept.ts';
import { exchangeCode } from './sign-in/exchange-code.ts';
import { registerAuth } from './sign-in/routes.ts';
import { createSignUpOpen } from './sign-in/sign-up-open.ts';

/** Bytes of answers, of pages and of sitemaps kept for visitors without a session. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const PAGE_BYTES = 32 * 1024 * 1024;
const CRAWLER_BYTES = 16 * 1024 * 1024;

/**
 * The gateway: cookies in, bearer out (design section 4). It serves the pages, signs people in and out, and passes the
 * contract's calls on to the services behind it, which it knows by their addresses alone.
 * @throws Error when EXTRA_CMT_ROUTES holds something else than routes
 */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { config, keys, log, now, pages } = options;
  const publicUrl = new URL(config.publicUrl);
  const metrics = createGatewayMetrics(options.registry);
  const { auth, upstreams, count, holderOf, lastRole, loginFrame, close } = await createParts(
    options,
    metrics,
  );
  const { sessions, devices, roleOf, userService } = auth;
  const chooseLanguage = createLanguageChoice(config);
  const cacheOf = (name: CacheName, bytes: number): AnswerCache =>
    createAnswerCache({
      bytes,
      now,
      onTake: (outcome) => metrics.countCache(name, outcome),
      onRenewalFailed: (error) =>
        log.warn({ err: error, cache: name }, 'a kept answer could not be made anew'),
    });
  const answers = cacheOf('answers', ANSWER_BYTES);
  const anonymousReads = createAnonymousReads(answers, upstreams, watchTags(options));
  const addressOf = createClientAddress(config.trustProxy);
  const calls = createKnownCalls({ count, factor: config.rateLimitFactor, addressOf, now });
  const writeLine = createLineWriter({ log, metrics, pseudonymsOf: createPseudonyms(keys), lastRole });
  const atOnce = createAtOnce({
    now,
    onTake: metrics.countCache,
    mayCall: calls.mayCall,
    isCall,
    writeLine,
  });
  const sendShared = createSendShared(atOnce);
  const app = createApp({
    log,
    trustProxy: config.trustProxy,
    requestId: randomUUID,
    // A request that is traced goes through the framework, which its spans hang on.
    ...(config.tracing.endpoint === undefined && { answerFirst: atOnce.give }),
    ...(options.closeWithin !== undefined && { closeWithin: options.closeWithin }),
    ...(options.patience && { patience: options.patience }),
    errorPage: createTooManyPage(config, chooseLanguage),
  });
  app.server.requestTimeout = COMMUNITY_TIMEOUT;
  app.addHook('onClose', close);
  logRequests(app, writeLine);
  await readCookies(app);
  const publishTokenOf = createPublishTokenReader(publicUrl);
  guardRequests(app, { publicUrl, metrics, publishTokenOf });
  const consume = await limitRequests(app, {
    count: calls.count,
    factor: config.rateLimitFactor,
    addressOf,
    holder: (request) => holderOf(request.cookies),
    publishTokenOf,
  });
  readJsonBodies(app);
  registerAuth(app, auth);
  const { collector } = upstreams;
  await registerCollector(app, { collector, publicUrl, chooseLanguage, deployType: config.deployType });
  const table = proxyTable(config.extraCmtRoutes, {
    signInPage: userService !== undefined,
    members: keepsAccounts(config),
  });
  await registerProxy(app, table, {
    sessions,
    devices,
    upstreams,
    anonymousReads,
    sendShared,
    roleOf,
    chooseLanguage,
    publicUrl,
    publishTokenOf,
  });
  const protocolIn = await readProtocolTexts(config);
  registerProtocol(app, { protocolIn, chooseLanguage });
  const developerDocsIn = createDeveloperDocs(publicUrl);
  registerDeveloperDocs(app, { developerDocsIn, chooseLanguage, publicUrl });
  if (config.apiDocs) registerDocs(app, { publicUrl, version: config.version });
  if (pages) {
    const ownHelp = options.upstreams.helpcenter === options.upstreams.community;
    const helpcenter = ownHelp ? upstreams.helpcenter : undefined;
    registerCrawlerFiles(app, {
      config,
      community: upstreams.community,
      helpcenter,
      cache: cacheOf('crawlers', CRAWLER_BYTES),
      sendShared,
      consume,
    });
    await registerPages(app, {
      config,
      siteFacts: siteFactsOf(config, ownHelp),
      sessions,
      roleOf,
      chooseLanguage,
      sendShared,
      consume,
      loginFrame,
      signUpOpen: createSignUpOpen({ config, identity: upstreams.identity, log, now }),
      log,
      now,
      entry: pages.entry,
      clientDir: pages.clientDir,
      readNeeds: createNeedsReader({
        community: upstreams.community,
        identity: userService && upstreams.identity,
        helpcenter,
        anonymousReads,
        ownAnswers: { readProtocol: protocolIn, readDeveloperDocs: developerDocsIn },
        log,
      }),
      pageCache: cacheOf('pages', PAGE_BYTES),
      exchange: (request, code) =>
        exchangeCode(auth, request, { code, app: undefined, transaction: undefined }),
    });
  }
  return app;
}

/** Warns when the community's list of tags becomes empty, and tells whoever wants to know. */
function watchTags({ log, onTags }: GatewayOptions): (hasTags: boolean) => void {
  let last: boolean | undefined;
  return (hasTags) => {
    if (hasTags === last) return;
    last = hasTags;
    if (!hasTags) log.warn('the community service has no tags to browse by');
    onTags?.(hasTags);
  };
}
