import t from 'tap';
import { Pool } from 'undici';
import { migrateDatabase } from '../../../bench/data/databases.ts';
import { fillDatabase } from '../../../bench/data/fill.ts';
import { openBrowser } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataFolder } from '../../support/product.ts';
import { startProgram } from '../../support/program.ts';
import { signInOn } from '../faults/support/user.ts';
import { mixFor, sendMixed } from './requests.ts';

/** 200,000 in `npm run test:soak`; the default finds leaks of a few kilobytes per request. */
const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 4000);
const isLong = REQUESTS > 10_000;
/** Requests until the caches have all pages and responses of the small catalogue. */
const WARM_UP = isLong ? 40_000 : 3000;
/** The long form requests more pages than the cache can hold, so that old ones are evicted; the short form does not. */
const SIZE = isLong ? { count: 200, waiting: 2 } : { count: 40, waiting: 2 };
const CONCURRENCY = 16;
const GROWTH_MAX = 1.1;
/** A leak grows in every span; memory that a busy machine has not collected or cached yet grows once. */
const SPANS = isLong ? 1 : 3;
const ADMIN = { email: 'root@example.org', password: 'correct-horse-battery' };

t.setTimeout(3_600_000);

t.test('memory does not grow with the number of requests', async (t) => {
  const publicUrl = 'http://square.test';
  const { url } = await testDatabase(t, { name: 'soak' });
  await migrateDatabase(url);
  await fillDatabase(url, SIZE);
  const folder = await makeDataFolder();
  t.teardown(folder.remove);
  const program = await startProgram(
    {
      PUBLIC_URL: publicUrl,
      DATABASE_URL: url,
      DATA_DIR: folder.dir,
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_FACTOR: '100000',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    { answersMemory: true },
  );
  t.teardown(program.stop);
  const browser = openBrowser(program.origin, publicUrl);
  await signInOn(browser, ADMIN);
  browser.close();
  const jar = new Map(browser.cookies);
  const pool = new Pool(program.origin, { connections: CONCURRENCY });

  const options = { mix: mixFor(SIZE), jar, concurrency: CONCURRENCY };
  t.strictSame(await sendMixed(pool, { ...options, from: 0, count: WARM_UP }), []);
  let before = await program.left();
  let after = before;
  for (let span = 0; span < SPANS; span += 1) {
    if (span > 0 && after.heap <= before.heap * GROWTH_MAX) break;
    before = after;
    const from = WARM_UP + span * REQUESTS;
    t.strictSame(await sendMixed(pool, { ...options, from, count: REQUESTS }), []);
    after = await program.left();
  }
  await pool.close();

  t.comment(`heap ${before.heap} → ${after.heap}, resident ${before.resident} → ${after.resident} bytes`);
  t.ok(after.heap <= before.heap * GROWTH_MAX, `heap ${before.heap} grew to ${after.heap} bytes`);
  if (isLong) {
    t.ok(
      after.resident <= before.resident * GROWTH_MAX,
      `${before.resident} grew to ${after.resident} bytes`,
    );
  }
});
