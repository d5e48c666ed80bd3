import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSessionKeys } from '../../../server/gateway/session/cookie.ts';

t.test('configured keys are used unchanged', async (t) => {
  const configured = [randomBytes(32), randomBytes(32)];
  const dataDir = t.testdir();
  t.strictSame(loadSessionKeys({ configured, dataDir }), configured);
  t.strictSame(readdirSync(dataDir), []);
});

t.test('without configured keys one is generated once, readable by its owner only', async (t) => {
  const dataDir = join(t.testdir(), 'not', 'there', 'yet');
  const [first] = loadSessionKeys({ configured: [], dataDir });
  t.equal(first?.length, 32);
  t.strictSame(loadSessionKeys({ configured: [], dataDir }), [first]);
  t.strictSame(readdirSync(dataDir), ['session-keys'], 'no draft file remains');
  t.equal(statSync(join(dataDir, 'session-keys')).mode & 0o777, 0o600);
});

t.test('an invalid key file is refused', async (t) => {
  const dataDir = t.testdir();
  for (const text of ['', 'short\n', `${randomBytes(32).toString('base64url')},short`]) {
    writeFileSync(join(dataDir, 'session-keys'), text);
    t.throws(() => loadSessionKeys({ configured: [], dataDir }), /keys of 32 bytes/);
  }
});
