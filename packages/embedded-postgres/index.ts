export { provideBinaries } from './binaries.ts';
export { hasDatabase } from './home.ts';
export { runningDatabaseUrl } from './ready.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';
