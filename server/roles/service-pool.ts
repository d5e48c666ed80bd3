import { openPool, type Pool } from '../database/pool.ts';
import type { AppContext, Service } from './app-context.ts';

/** Connections of a service to its own schema, ended when the program closes. */
export function openServicePool({ config, log, closing }: AppContext, url: string, schema: Service): Pool {
  const pool = openPool(url, {
    applicationName: `plugin-square ${schema}`,
    schema,
    log,
    max: config.databasePool,
  });
  closing.add(() => pool.end());
  return pool;
}
