import type { Kysely } from 'kysely';
import tap from 'tap';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import type { Pool } from '../../../server/database/pool.ts';
import { identityMigrations } from '../../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../../server/identity/schema.ts';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { testDatabase } from '../../support/database.ts';
import { demoTemplate, linkFiles } from '../../support/demo-template.ts';
import { freePort } from '../../support/port.ts';
import { makeDataFolder } from '../../support/product.ts';
import { serveProduct } from '../../support/product-host.ts';
import { ADMIN, addAccount } from './account.ts';
import { type Reviewer, reviewerOf } from './reviewer.ts';

type Test = { teardown(action: () => Promise<void>): void };
type Settings = Readonly<Record<string, string>>;

export type Product = {
  origin: string;
  /** Its database, for states that take long to reach. */
  pool: Pool;
  db: Kysely<CommunityTables>;
  reviewer: Reviewer;
};

type Options = {
  /** Whether it has the demo catalogue. */
  hasDemo?: boolean;
  /** Creates its tables and its administrator itself, which takes seconds. */
  isFirstStart?: boolean;
  port?: number;
};

/**
 * Many tests share a product and an address: none may use up a limit of the others. The first password of a while waits for
 * its dictionaries, on a busy machine for longer than the usual timeout.
 */
const USUAL: Settings = {
  PUBLISHERS: 'members',
  PUBLISH_LIMITS: '1000/1m',
  RATE_LIMIT_FACTOR: '0',
  USER_SERVICE_TIMEOUT: '2m',
};

/** Tables that a first start creates. */
const SERVICES = [
  { schema: COMMUNITY_SCHEMA, migrations: communityMigrations },
  { schema: IDENTITY_SCHEMA, migrations: identityMigrations },
];

/** A product for one test, without the demo catalogue. It has the administrator `ADMIN`. */
export async function ownProduct(
  t: Test,
  settings: Settings = {},
  { hasDemo = false, isFirstStart = false, port }: Options = {},
): Promise<Product> {
  const demo = hasDemo ? await demoTemplate() : undefined;
  const { url, pool, db } = await testDatabase<CommunityTables>(t, {
    ...{ name: 'product', schema: COMMUNITY_SCHEMA, services: isFirstStart ? [] : SERVICES },
    ...(demo && { template: demo.database }),
  });
  if (!isFirstStart) await addAccount({ pool }, ADMIN, { role: ROLE_SUPER_ADMIN });
  const data = await makeDataFolder();
  t.teardown(data.remove);
  if (demo) linkFiles(demo.files, data.dir);
  const product = await serveProduct(
    data.dir,
    {
      ...USUAL,
      DATABASE_URL: url,
      SEED: hasDemo ? 'demo' : 'none',
      ...(isFirstStart && { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }),
      ...settings,
    },
    port === undefined ? {} : { port },
  );
  t.teardown(product.stop);
  return { origin: product.origin, pool, db, reviewer: reviewerOf(db) };
}

/** The same with the demo catalogue. */
export function ownDemo(t: Test, settings: Settings = {}, at: { port?: number } = {}): Promise<Product> {
  return ownProduct(t, settings, { ...at, hasDemo: true });
}

/** Settings of a private deployment where strangers sign up. */
export const PRIVATE: Settings = {
  DEPLOY_TYPE: 'pri',
  SIGN_UP: 'open',
  LANGUAGES: 'en-US',
  SITE_URL: 'https://site.example',
  UX_MODE: 'popup',
  COLLECTOR_URL: 'http://127.0.0.1:9/collect',
};

const steady = new Map<string, Promise<Product>>();

/**
 * The product of this process with these settings and the demo catalogue, for all files that publish nothing and change no
 * plugin, no setting and no text of the site. They expect accounts, likes and installs of each other.
 */
export function steadyProduct(settings: Settings = {}): Promise<Product> {
  const name = JSON.stringify(settings);
  const started = steady.get(name) ?? ownDemo(tap, settings);
  steady.set(name, started);
  return started;
}

const shared = new Map<string, Promise<Product>>();
let ends: (() => Promise<void>)[] = [];
let sharedBy = '';

/** A file has its products to itself: lists begin with the latest plugins, and files run in any order. */
const file: Test = { teardown: (end) => void ends.unshift(end) };

async function endShared(): Promise<void> {
  const former = ends;
  ends = [];
  shared.clear();
  for (const end of former) await end();
}

async function onceFor(name: string, start: () => Promise<Product>): Promise<Product> {
  const { TEST_FILE = 'alone' } = process.env;
  if (sharedBy !== TEST_FILE) {
    if (sharedBy === '') tap.teardown(endShared);
    sharedBy = TEST_FILE;
    await endShared();
  }
  const started = shared.get(name) ?? start();
  shared.set(name, started);
  return started;
}

/**
 * The product of this file with these settings and the demo catalogue. Tests leave the catalogue and the site's own texts as
 * they are, and expect accounts, plugins and reports of other tests of the file.
 */
export function sharedProduct(settings: Settings = {}): Promise<Product> {
  return onceFor(JSON.stringify(settings), () => ownDemo(file, settings));
}

/**
 * Another one, for tests of administrators that change the catalogue and the site's own texts; each names other plugins.
 */
export function sharedBackstage(): Promise<Product> {
  return onceFor('backstage', () => ownDemo(file));
}

/** One without the demo catalogue. Each test has other plugins, and its own part of the site's texts. */
export function sharedEmptySite(): Promise<Product> {
  return onceFor('empty', () => ownProduct(file));
}

/** One with SITE_URL of the same origin: header and footer have all links, as paths. */
export function sharedWiderSite(): Promise<Product> {
  return onceFor('wider site', async () => {
    const port = await freePort();
    return ownDemo(file, { SITE_URL: `http://localhost:${port}` }, { port });
  });
}
