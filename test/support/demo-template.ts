import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { errorCode } from '../../server/database/errors.ts';
import { sourceHash } from '../../server/launch/build.js';
import { databaseUrl, onServer } from './database.ts';
import { runServer } from './database-server.ts';

/** A database and the folder of its files, both to be copied. */
type DemoTemplate = { database: string; files: string };

const ROOT = join(import.meta.dirname, '../..');
/** What the catalogue is made from. */
const SOURCES = [
  'demo',
  'package-lock.json',
  'shared',
  'test/support/fill-demo.ts',
  ...['community', 'database', 'identity', 'storage'].map((one) => `server/${one}`),
];
const DRAFT = 'demo_draft';

let template: Promise<DemoTemplate> | undefined;

/**
 * The demo catalogue with pictures and packages, and the tables of identity. The first test that asks for it makes it, others
 * wait; it is kept until its sources change.
 */
export function demoTemplate(): Promise<DemoTemplate> {
  template ??= provide();
  return template;
}

async function provide(): Promise<DemoTemplate> {
  const { url, home } = await runServer();
  const all = join(home, 'demo');
  const database = `demo_${sourceHash(ROOT, SOURCES).slice(0, 16)}`;
  const files = join(all, database);
  await onServer(url, async (client) => {
    await client.query("select pg_advisory_lock(hashtextextended('demo', 0))");
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname ~ '^demo_[0-9a-f]{16}$'",
    );
    if (existsSync(files) && rows.some(({ name }) => name === database)) return;
    for (const { name } of rows) await client.query(`drop database "${name}"`);
    await rm(all, { recursive: true, force: true });
    await mkdir(files, { recursive: true });
    // Of a run that was interrupted.
    await client.query(`drop database if exists ${DRAFT} with (force)`);
    await client.query(`create database ${DRAFT} template template0`);
    // Loaded only here: most tests find a template.
    const { fillDemo } = await import('./fill-demo.ts');
    await fillDemo(databaseUrl(url, DRAFT), files);
    await client.query(`alter database ${DRAFT} rename to ${database}`);
  });
  return { database, files };
}

/**
 * Gives a product the files of a template. They are linked, for copies of 1,500 files take seconds: a
 * store writes a file once and replaces it by renaming.
 */
export function linkFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    if (entry.isDirectory()) mkdirSync(target, { recursive: true });
    else placeFile(source, target);
  }
}

function placeFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    // The folder for temporary files may be on another disk.
    if (errorCode(error) !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
}
