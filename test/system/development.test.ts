import { execFileSync, spawn } from 'node:child_process';
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { isUnhydrated, newPage, openPage, waitForHydration } from '../e2e/support/page.ts';
import { createCheckout } from '../support/checkout.ts';
import { endChild, hasEnded } from '../support/child-process.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/port.ts';
import { makeDataFolder } from '../support/product.ts';
import { until } from '../support/until.ts';

const FOOTER = 'web/layout/site-footer.tsx';
const ENGLISH = 'locales/en-US.json';
/** Milliseconds. */
const SAVED_AGAIN_AFTER = 10_000;
const VISITORS = 16;
const NEW_PAGE = 'export function HelloPage() {\n  return <h1>Hello</h1>;\n}\n';
const NEW_ROUTE = `export const pages = [
  { path: '/plugins/hello', load: async () => (await import('./hello-page.tsx')).HelloPage },
];
`;
const HEADERS = 'server/gateway/security-headers.ts';

/** At once, like an editor: nobody reads a file that is half written. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}.saving`, text);
  await rename(`${file}.saving`, file);
}

async function replace(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await save(file, text.replace(from, to));
}

t.test('npm run dev', async (t) => {
  const root = await createCheckout(t);
  const { url } = await testDatabase(t, { name: 'development' });
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const [port, opsPort] = [await freePort(), await freePort()];
  const program = spawn(process.execPath, [join(root, 'server/launch/start.js'), '--dev'], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: data.dir,
      LOG_LEVEL: 'error',
      OPS_PORT: String(opsPort),
      PORT: String(port),
      SEED: 'none',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(() => endChild(program, 'SIGTERM'));
  const origin = `http://localhost:${port}`;
  const home = `${origin}/plugins/`;
  const ask = (address: string) => {
    if (hasEnded(program))
      throw new Error(`The program ended with ${program.exitCode ?? program.signalCode}.`);
    return fetch(address, { headers: { 'accept-language': 'en-US' } }).catch(() => undefined);
  };
  await until(async () => (await ask(home))?.ok ?? false);
  t.notOk(await readFile(join(root, 'web/dist/server/entry-server.js')).catch(() => undefined), 'no build');

  t.test('a changed component is shown without a reload, and so is a changed text', async (t) => {
    // The first visit can make Vite find packages that it has not prepared, and load the page again.
    await openPage(await newPage(t), home);
    const page = await newPage(t);
    // Vite doesn't repeat a change that came before the page's connection.
    const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.');
    await openPage(page, home);
    await connected;
    // Nor does React take a change to what isn't hydrated yet: it would differ from the server's HTML.
    for (const part of ['header', 'main > *', 'footer'])
      await until(async () => !(await isUnhydrated(page.locator(part).first())));
    await page.evaluate(() => document.body.setAttribute('data-seen', 'before'));
    const footer = await readFile(join(root, FOOTER), 'utf8');
    // Saved again if the page was not listening yet, as a reader of a stale page would.
    await until(async () => {
      await save(join(root, FOOTER), footer.replace('<footer ', '<footer data-changed '));
      const shown = page.locator('footer[data-changed]').waitFor({ timeout: SAVED_AGAIN_AFTER });
      return shown.then(
        () => true,
        () => false,
      );
    });
    t.equal(await page.locator('body').getAttribute('data-seen'), 'before', 'the document is the same');
    const { home: texts } = JSON.parse(await readFile(join(root, ENGLISH), 'utf8'));
    await replace(join(root, ENGLISH), `"${texts.heading}"`, '"A heading as it was just written"');
    await page.getByRole('heading', { name: 'A heading as it was just written' }).waitFor();
    await waitForHydration(page);
    await page.locator('footer[data-changed]').waitFor();
  });

  t.test('the server renders from the sources', async (t) => {
    const html = await (await ask(home))?.text();
    t.match(html, /<h1[^>]*>A heading as it was just written/);
    t.match(html, /<footer data-changed/);
  });

  t.test('a new page is its folder, for the server and for the browser', async (t) => {
    const address = `${home}hello`;
    t.equal((await ask(address))?.status, 404);
    // Made elsewhere: Vite misses a file that is written after it has read a new folder and before it watches that.
    const made = join(root, 'hello');
    await mkdir(made);
    await writeFile(join(made, 'hello-page.tsx'), NEW_PAGE);
    await writeFile(join(made, 'route.ts'), NEW_ROUTE);
    await rename(made, join(root, 'web/pages/hello'));
    await until(async () => (await ask(address))?.status === 200);
    t.match(await (await ask(address))?.text(), /<h1>Hello<\/h1>/);
    const page = await newPage(t);
    await openPage(page, address);
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
  });

  t.test('pages keep their policy, with a nonce for the additions of Vite', async (t) => {
    const answer = await ask(home);
    const policy = answer?.headers.get('content-security-policy') ?? '';
    t.match(policy, /script-src 'self' 'nonce-[^']+';/);
    t.match(policy, /style-src 'self' 'nonce-[^']+';/);
    t.notMatch(policy, /(?:script-src|style-src) [^;]*unsafe/);
    t.notMatch(await answer?.text(), /<(?:script|style)>/, 'all inline content has the nonce');
  });

  t.test('only sources of the client are served', async (t) => {
    for (const file of ['package-lock.json', 'server/config.ts'])
      t.equal((await ask(`${home}@fs${join(root, file)}?raw`))?.status, 403, file);
    t.equal((await ask(`${home}@fs${join(root, 'shared/languages.ts')}`))?.status, 200);
  });

  t.test('the services restart when their sources change, and requests wait for them', async (t) => {
    const answers = new Set<number | undefined>();
    const policyOf = async () => {
      const answer = await ask(`${origin}/api/auth/session`);
      answers.add(answer?.status);
      return answer?.headers.get('referrer-policy');
    };
    t.equal(await policyOf(), 'same-origin');
    await replace(
      join(root, HEADERS),
      "'referrer-policy': 'same-origin'",
      "'referrer-policy': 'no-referrer'",
    );
    // So many at a time that some are under way when the old services end.
    const visitor = async () => {
      while ((await policyOf()) !== 'no-referrer');
    };
    await Promise.all(Array.from({ length: VISITORS }, visitor));
    t.strictSame(answers, new Set([403]), 'no request has failed');
    t.equal((await ask(home))?.status, 200);
  });

  t.test('services that a signal ended are reported until a change starts them again', async (t) => {
    const session = `${origin}/api/auth/session`;
    execFileSync('pkill', ['-KILL', '-f', join(root, 'server/main.ts')]);
    await until(async () => (await ask(session))?.status === 503);
    t.equal(
      await (await ask(session))?.text(),
      'The services have ended; see the terminal. A change starts them again.\n',
    );
    const now = new Date();
    await utimes(join(root, HEADERS), now, now);
    await until(async () => (await ask(session))?.status === 403);
  });

  t.test('services that cannot start are reported until a change mends them', async (t) => {
    const session = `${origin}/api/auth/session`;
    await replace(join(root, HEADERS), "'no-referrer'", "'no-referrer");
    await until(async () => (await ask(session))?.status === 503);
    t.equal(
      await (await ask(session))?.text(),
      'The services have ended; see the terminal. A change starts them again.\n',
    );
    await replace(join(root, HEADERS), "'no-referrer", "'no-referrer'");
    await until(async () => (await ask(session))?.status === 403);
  });
});
