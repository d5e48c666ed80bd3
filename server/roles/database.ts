import type { AppContext } from './app-context.ts';
import { runs } from './app-context.ts';

/** URL of the database, which is started if it is not configured. @returns undefined if no service here needs one */
export async function databaseOf({
  config,
  log,
  closing,
}: Pick<AppContext, 'config' | 'log' | 'closing'>): Promise<string | undefined> {
  if (!runs(config, 'community') && !runs(config, 'identity')) return undefined;
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const { startEmbeddedPostgres } = await import('@plugin-square/embedded-postgres');
  const database = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  closing.add(() => database.stop());
  return database.url;
}
