import type { Migrations } from '../database/migrate.ts';
import * as peopleAndFiles from './migrations/0001-people-and-files.ts';
import * as plugins from './migrations/0002-plugins.ts';
import * as use from './migrations/0003-use.ts';
import * as listings from './migrations/0004-listings.ts';
import * as search from './migrations/0005-search.ts';
import * as curation from './migrations/0006-curation.ts';
import * as site from './migrations/0007-site.ts';
import * as publishing from './migrations/0008-publishing.ts';
import * as backstage from './migrations/0009-backstage.ts';
import * as figures from './migrations/0010-figures.ts';
import * as searchWords from './migrations/0011-search-words.ts';
import * as reportsByState from './migrations/0012-reports-by-state.ts';
import * as usesOfOnePlugin from './migrations/0013-uses-of-one-plugin.ts';
import * as listedSearch from './migrations/0014-listed-search.ts';
import * as shorterPictureNames from './migrations/0015-shorter-picture-names.ts';
import * as ownerGrants from './migrations/0016-owner-grants.ts';
import * as helpCenter from './migrations/0020-help-center.ts';
import * as hiddenTags from './migrations/0021-hidden-tags.ts';
import * as hiddenWorks from './migrations/0022-hidden-works.ts';
import * as marks from './migrations/0023-marks.ts';
import * as helpSearch from './migrations/0025-help-search.ts';
import * as accounts from './migrations/0026-accounts.ts';
import * as latestLikes from './migrations/0027-latest-likes.ts';
import * as uninstalls from './migrations/0028-uninstalls.ts';
import * as acceptances from './migrations/0029-acceptances.ts';
import * as trials from './migrations/0030-trials.ts';
import * as reviewOpenings from './migrations/0031-review-openings.ts';
import * as notices from './migrations/0032-notices.ts';
import * as reportWarnings from './migrations/0033-report-warnings.ts';
import * as generatedCovers from './migrations/0034-generated-covers.ts';

/** The PostgreSQL schema of this service. */
export const COMMUNITY_SCHEMA = 'community';

/** All migrations, from an empty schema to the current one. */
export const communityMigrations: Migrations = {
  '0001-people-and-files': peopleAndFiles,
  '0002-plugins': plugins,
  '0003-use': use,
  '0004-listings': listings,
  '0005-search': search,
  '0006-curation': curation,
  '0007-site': site,
  '0008-publishing': publishing,
  '0009-backstage': backstage,
  '0010-figures': figures,
  '0011-search-words': searchWords,
  '0012-reports-by-state': reportsByState,
  '0013-uses-of-one-plugin': usesOfOnePlugin,
  '0014-listed-search': listedSearch,
  '0015-shorter-picture-names': shorterPictureNames,
  '0016-owner-grants': ownerGrants,
  '0020-help-center': helpCenter,
  '0021-hidden-tags': hiddenTags,
  '0022-hidden-works': hiddenWorks,
  '0023-marks': marks,
  '0025-help-search': helpSearch,
  '0026-accounts': accounts,
  '0027-latest-likes': latestLikes,
  '0028-uninstalls': uninstalls,
  '0029-acceptances': acceptances,
  '0030-trials': trials,
  '0031-review-openings': reviewOpenings,
  '0032-notices': notices,
  '0033-report-warnings': reportWarnings,
  '0034-generated-covers': generatedCovers,
};
