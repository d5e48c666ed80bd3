import { Gauge, Histogram, type Registry } from 'prom-client';
import { openPool, type Pool } from '../database/pool.ts';
import type { AppContext, Service } from './app-context.ts';

/** Connections of a service to its own schema, ended when the program closes. */
export function openServicePool(
  { config, log, closing, registry }: AppContext,
  url: string,
  schema: Service,
): Pool {
  const waits = new Histogram({
    name: `${schema}_database_wait_seconds`,
    help: 'Time until work gets a database connection',
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  });
  const pool = openPool(url, {
    applicationName: `plugin-square ${schema}`,
    schema,
    log,
    max: config.databasePool,
    onWait: (seconds) => waits.observe(seconds),
  });
  measurePool(registry, pool, schema);
  closing.add(() => pool.end());
  return pool;
}

function measurePool(registry: Registry, pool: Pool, service: Service): void {
  const registers = [registry];
  new Gauge({
    name: `${service}_database_connections`,
    help: 'Open database connections',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: `${service}_database_waiting`,
    help: 'Work that waits for a database connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
