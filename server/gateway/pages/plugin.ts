import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { registerDocs } from '../docs/routes.ts';
import { registerCrawlerFiles } from './crawlers/routes.ts';
import { registerDeveloperDocs } from './developer-docs/routes.ts';
import { createDeveloperDocs } from './developer-docs/texts.ts';
import { createNeedsReader } from './needs.ts';
import { registerProtocol } from './protocol/routes.ts';
import { readProtocolTexts } from './protocol/texts.ts';
import { registerPages } from './routes.ts';
import { siteFactsOf } from './site-facts.ts';

/** Pages, and what else people and crawlers open by its address. */
export const pages = fp(
  async (app: FastifyInstance) => {
    const { gateway, sendShared, consume, chooseLanguage, anonymousReads, caches } = app;
    const { config, log, now, publicUrl, pages: built } = gateway;
    const { community, identity, ...services } = app.upstreams;
    const protocolIn = await readProtocolTexts(config);
    registerProtocol(app, { protocolIn, chooseLanguage });
    const developerDocsIn = createDeveloperDocs(publicUrl);
    registerDeveloperDocs(app, { developerDocsIn, chooseLanguage, publicUrl });
    if (config.apiDocs) registerDocs(app, { publicUrl, version: config.version });
    if (!built) return;
    const ownHelp = gateway.upstreams.helpcenter === gateway.upstreams.community;
    const helpcenter = ownHelp ? services.helpcenter : undefined;
    registerCrawlerFiles(app, { config, community, helpcenter, cache: caches.crawlers, sendShared, consume });
    await registerPages(app, {
      config,
      siteFacts: siteFactsOf(config, ownHelp),
      sessions: app.sessions,
      roleOf: app.roles.of,
      chooseLanguage,
      sendShared,
      consume,
      loginFrame: app.loginFrame,
      signUpOpen: app.signUpOpen,
      log,
      now,
      entry: built.entry,
      clientDir: built.clientDir,
      readNeeds: createNeedsReader({
        community,
        identity: app.userService && identity,
        helpcenter,
        anonymousReads,
        ownAnswers: { readProtocol: protocolIn, readDeveloperDocs: developerDocsIn },
        log,
      }),
      pageCache: caches.pages,
      exchange: app.exchangeCode,
    });
  },
  { name: 'pages', dependencies: ['cache', 'csrf', 'language', 'rate-limit', 'sign-in', 'upstreams'] },
);
