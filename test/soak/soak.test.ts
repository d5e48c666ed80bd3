import t from 'tap';
import { Pool } from 'undici';
import { fillDatabase } from '../../bench/data/fill.ts';
import { migrateDatabase } from '../../bench/data/kept.ts';
import { loginParameters, openBrowser } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { makeDataFolder } from '../support/product.ts';
import { startProgram } from '../support/program.ts';
import { askMixed, type Jar, mixFor } from './requests.ts';

/** 200,000 in `npm run test:soak`; here as many as show what leaks a few kilobytes a request. */
const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 4000);
const isLong = REQUESTS > 10_000;
/** Until what is kept on purpose, pages and answers of the whole small catalogue, is there, with the words to each. */
const WARM_UP = isLong ? 40_000 : 3000;
/** The long form asks about more pages than are kept, so that old ones have to go; the short form's are all kept. */
const SIZE = isLong ? { count: 200, waiting: 2 } : { count: 40, waiting: 2 };
const AT_A_TIME = 16;
const GROWTH_MAX = 1.1;
/** What leaks grows with every span; what a busy machine has not collected or cached yet does so once. */
const SPANS = isLong ? 1 : 3;
const ADMIN = { email: 'root@example.org', password: 'correct-horse-battery' };

/** The cookies of the administrator, who has signed in on the page. */
async function signIn(origin: string, publicUrl: string): Promise<Jar> {
  const browser = openBrowser(origin, publicUrl);
  const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
  const body = JSON.stringify({
    account: ADMIN.email,
    password: ADMIN.password,
    ...loginParameters(started),
  });
  const answer = await browser.call('/user/page/sign_in', { method: 'POST', body });
  const { pathname, search } = new URL(String(answer.json().data.continue_to));
  await browser.visit(pathname + search, { site: 'same-origin' });
  browser.close();
  return new Map(browser.cookies);
}

t.setTimeout(3_600_000);

t.test('memory stays as it is however much is asked', async (t) => {
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
  const jar = await signIn(program.origin, publicUrl);
  const pool = new Pool(program.origin, { connections: AT_A_TIME });

  const asked = { mix: mixFor(SIZE), jar, atATime: AT_A_TIME };
  t.strictSame(await askMixed(pool, { ...asked, from: 0, count: WARM_UP }), []);
  let before = await program.left();
  let after = before;
  for (let span = 0; span < SPANS; span += 1) {
    if (span > 0 && after.heap <= before.heap * GROWTH_MAX) break;
    before = after;
    const from = WARM_UP + span * REQUESTS;
    t.strictSame(await askMixed(pool, { ...asked, from, count: REQUESTS }), []);
    after = await program.left();
  }
  await pool.close();

  t.comment(`heap ${before.heap} → ${after.heap}, resident ${before.resident} → ${after.resident} bytes`);
  t.ok(after.heap <= before.heap * GROWTH_MAX, `heap ${before.heap} became ${after.heap} bytes`);
  if (isLong) {
    t.ok(after.resident <= before.resident * GROWTH_MAX, `${before.resident} became ${after.resident} bytes`);
  }
});
