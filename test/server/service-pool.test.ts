import { pino } from 'pino';
import { Registry } from 'prom-client';
import t from 'tap';
import { createClosing } from '../../server/closing.ts';
import { loadConfig } from '../../server/config.ts';
import { openServicePool } from '../../server/roles/service-pool.ts';
import { testDatabase } from '../support/database.ts';

t.test('a service opens at most its number of connections', async (t) => {
  const { url } = await testDatabase(t, { name: 'few' });
  const log = pino({ level: 'silent' });
  const closing = createClosing(log);
  const config = loadConfig({ DATABASE_POOL: '3' });
  const pool = openServicePool(
    { config, log, registry: new Registry(), closing, degraded: new Map() },
    url,
    'identity',
  );
  await Promise.all(Array.from({ length: 9 }, () => pool.query('select pg_sleep(0.05)')));
  t.equal(pool.totalCount, 3);
  await closing.close();
});
