import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { assertListenable, localUrl } from '../../server/listening.ts';
import { portOf } from '../support/port.ts';

async function takePort(t: { teardown(work: () => void): void }) {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.teardown(() => void holder.close());
  return { holder, at: { host: '127.0.0.1', port: portOf(holder), setting: 'PORT' } };
}

t.test('a free port is accepted immediately', async (t) => {
  const { holder, at } = await takePort(t);
  holder.close();
  await once(holder, 'close');
  await t.resolves(assertListenable(at, 0));
});

t.test('a port that becomes free in time is waited for', async (t) => {
  const { holder, at } = await takePort(t);
  setTimeout(() => holder.close(), 300);
  const started = performance.now();
  await t.resolves(assertListenable(at));
  t.ok(performance.now() - started > 250);
});

t.test('a port that stays in use is a one-line error with the setting', async (t) => {
  const { at } = await takePort(t);
  await t.rejects(assertListenable(at, 250), {
    name: 'StartError',
    message: `Port ${at.port} on 127.0.0.1 is in use by another program. Stop it, or choose another port with PORT.`,
  });
});

t.test('an address of another machine fails immediately', async (t) => {
  const started = performance.now();
  await t.rejects(assertListenable({ host: '192.0.2.1', port: 0, setting: 'HOST' }), {
    message: 'The address 192.0.2.1 does not belong to this machine.',
  });
  t.ok(performance.now() - started < 1000);
});

t.test('URL of a listening address on the same machine', async (t) => {
  for (const [host, url] of [
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
    ['fd00::1', 'http://[fd00::1]:8080'],
    ['localhost', 'http://localhost:8080'],
  ] as const) {
    t.equal(localUrl({ host, port: 8080 }), url);
  }
});
