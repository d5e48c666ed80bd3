import type { Migrations } from '../database/migrate.ts';
import * as baseline from './migrations/0001-baseline.ts';
import * as withdrawal from './migrations/0002-withdrawal.ts';
import * as failedChanges from './migrations/0007-failed-changes.ts';
import * as recentViews from './migrations/0008-recent-views.ts';
import * as decisionDays from './migrations/0010-decision-days.ts';
import * as translatedTexts from './migrations/0011-translated-texts.ts';
import * as supportTexts from './migrations/0012-support-texts.ts';
import * as transparency from './migrations/0013-transparency.ts';
import * as withdrawals from './migrations/0014-withdrawals.ts';
import * as clientApi from './migrations/0015-client-api.ts';
import * as usedProofs from './migrations/0016-used-proofs.ts';
import * as delivery from './migrations/0017-delivery.ts';
import * as deprecation from './migrations/0018-deprecation.ts';
import * as updateAge from './migrations/0019-update-age.ts';
import * as withdrawalProposals from './migrations/0020-withdrawal-proposals.ts';
import * as searchWords from './migrations/0021-search-words.ts';
import * as listFilters from './migrations/0022-list-filters.ts';
import * as publishers from './migrations/0023-publishers.ts';
import * as follow from './migrations/0025-follow.ts';
import * as collection from './migrations/0026-collection.ts';
import * as similar from './migrations/0027-similar.ts';
import * as verifiedPublishers from './migrations/0028-verified-publishers.ts';
import * as listingFacts from './migrations/0029-listing-facts.ts';
import * as insights from './migrations/0030-insights.ts';
import * as home from './migrations/0031-home.ts';
import * as publisherNames from './migrations/0032-publisher-names.ts';
import * as editorsCollection from './migrations/0033-editors-collection.ts';
import * as kits from './migrations/0035-kits.ts';
import * as comparisons from './migrations/0036-comparisons.ts';
import * as japaneseNames from './migrations/0037-japanese-names.ts';
import * as updateMonths from './migrations/0038-update-months.ts';
import * as unlistedWords from './migrations/0039-unlisted-words.ts';
import * as sitemapRanges from './migrations/0040-sitemap-ranges.ts';
import * as searchLexemes from './migrations/0041-search-lexemes.ts';

/** The PostgreSQL schema of this service. */
export const COMMUNITY_SCHEMA = 'community';

/** All migrations, from an empty schema to the current one. */
export const communityMigrations: Migrations = {
  '0001-baseline': baseline,
  '0002-withdrawal': withdrawal,
  '0007-failed-changes': failedChanges,
  '0008-recent-views': recentViews,
  '0010-decision-days': decisionDays,
  '0011-translated-texts': translatedTexts,
  '0012-support-texts': supportTexts,
  '0013-transparency': transparency,
  '0014-withdrawals': withdrawals,
  '0015-client-api': clientApi,
  '0016-used-proofs': usedProofs,
  '0017-delivery': delivery,
  '0018-deprecation': deprecation,
  '0019-update-age': updateAge,
  '0020-withdrawal-proposals': withdrawalProposals,
  '0021-search-words': searchWords,
  '0022-list-filters': listFilters,
  '0023-publishers': publishers,
  '0025-follow': follow,
  '0026-collection': collection,
  '0027-similar': similar,
  '0028-verified-publishers': verifiedPublishers,
  '0029-listing-facts': listingFacts,
  '0030-insights': insights,
  '0031-home': home,
  '0032-publisher-names': publisherNames,
  '0033-editors-collection': editorsCollection,
  '0035-kits': kits,
  '0036-comparisons': comparisons,
  '0037-japanese-names': japaneseNames,
  '0038-update-months': updateMonths,
  '0039-unlisted-words': unlistedWords,
  '0040-sitemap-ranges': sitemapRanges,
  '0041-search-lexemes': searchLexemes,
};
