import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { scriptPeople } from '../../conformance/users.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { spawnGateway } from '../../support/gateway-process.ts';
import { startStub } from '../../support/stub-upstream.ts';

const INSTALL = '/api/cmt/plugin/user';
const install = (browser: Browser) => browser.call(INSTALL, { method: 'POST', body: '{}' });

t.test('requirement 20: a sign-out survives a restart', async (t) => {
  const dataDir = t.testdir();
  const keys = [randomBytes(32)];
  const gateway = await startGateway(t, { keys, dataDir });
  gateway.community.on(`POST ${INSTALL}`, () => ({}));
  const [leaving, staying] = [gateway.browser(), gateway.browser()];
  await leaving.signIn();
  await staying.signIn();
  const held = [...leaving.cookies];
  t.equal((await leaving.call('/api/auth/logout', { method: 'POST' })).status, 200);

  for (const restart of ['first', 'second']) {
    await gateway.close();
    const next = await startGateway(t, { keys, dataDir, share: gateway });
    const replaying = openBrowser(next.url, next.publicUrl);
    for (const [name, value] of held) replaying.cookies.set(name, value);
    const refused = await install(replaying);
    t.equal(refused.status, 401, `${restart} restart`);
    t.equal(refused.json().code, 'SESSION_ENDED');
    t.strictSame([...replaying.cookies], [], 'the old cookie is cleared');
    const other = openBrowser(next.url, next.publicUrl);
    for (const [name, value] of staying.cookies) other.cookies.set(name, value);
    t.equal((await install(other)).status, 200, 'whoever did not sign out stays');
    await next.close();
  }
});

t.test('an acknowledged sign-out survives kill -9', async (t) => {
  const [upstream, identity] = [await startStub(t), await startStub(t)];
  scriptPeople(identity);
  upstream.on(`POST ${INSTALL}`, () => ({}));
  const dataDir = t.testdir();
  const settings = {
    PUBLIC_URL: 'http://localhost:8080',
    COMMUNITY_URL: upstream.url,
    IDENTITY_URL: identity.url,
    DATA_DIR: dataDir,
    RATE_LIMIT_FACTOR: '0',
  };
  const replays: [string, string][][] = [];
  for (const person of [1, 2, 3]) {
    const gateway = await spawnGateway(settings);
    for (const cookies of replays) {
      const replaying = openBrowser(gateway.url, settings.PUBLIC_URL);
      for (const [name, value] of cookies) replaying.cookies.set(name, value);
      t.equal((await install(replaying)).json().code, 'SESSION_ENDED');
    }
    const browser = openBrowser(gateway.url, settings.PUBLIC_URL);
    await browser.signIn({ code: `person-${person}` });
    t.equal((await install(browser)).status, 200);
    replays.push([...browser.cookies]);
    t.equal((await browser.call('/api/auth/logout', { method: 'POST' })).status, 200);
    process.kill(gateway.pid, 'SIGKILL');
    await gateway.stop();
  }
  const file = join(dataDir, 'ended-sessions');
  t.equal((await stat(file)).mode & 0o777, 0o600, 'only its owner can read it');
  t.match(await readFile(file, 'utf8'), /^(?:[\w-]{43} \d+ \d+\n){3}$/, 'hashes and times alone');
});
