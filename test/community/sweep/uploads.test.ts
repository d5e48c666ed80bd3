import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import t from 'tap';
import { type FileStore, openFolderStore } from '../../../server/community/files/media/files.ts';
import { insertFiles } from '../../../server/community/files/media/store.ts';
import { preparePackage, storedName, storeFile } from '../../../server/community/files/media/stored-files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { sweep } from '../../../server/community/sweep/sweep.ts';
import { testFolder } from '../../support/community.ts';
import { testDatabase } from '../../support/database.ts';
import { isStored } from '../../support/is-stored.ts';
import { until } from '../../support/until.ts';
import { addPlugin } from '../add-plugin.ts';

t.test('uploads during a sweep', async (t) => {
  const DAY = 86_400_000;
  const { db } = await testDatabase<CommunityTables>(t, {
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    name: 'races',
  });
  const dataDir = await testFolder(t);
  const files = openFolderStore(dataDir);
  const log = pino({ level: 'silent' });
  const prepared = Array.from({ length: 6 }, (_, number) =>
    preparePackage(Buffer.from(`{"package":${number}}`)),
  );
  const pluginId = await addPlugin(db, { key: 'square-races' });
  const run = (parts: { db: Db; files: FileStore } = { db, files }) =>
    sweep({ ...parts, dataDir, now: Date.now, log });

  /** A sweep that calls `step` after each of its queries, and before and after it removes a file. */
  function runStepwise(step: () => Promise<void>) {
    return run({
      db: db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          await step();
          return result;
        },
      }),
      files: {
        ...files,
        async remove(name, before) {
          await step();
          const isRemoved = await files.remove(name, before);
          await step();
          return isRemoved;
        },
      },
    });
  }

  /** Puts the packages there as an upload of two days ago that came to nothing. */
  async function leaveBehind(): Promise<void> {
    const at = new Date(Date.now() - 2 * DAY);
    await db.updateTable('plugin_version').set({ package_key: null }).execute();
    for (const one of prepared) {
      const file = await storeFile(files, one);
      const name = storedName(file);
      await utimes(join(dataDir, 'files', name.slice(0, 2), name.slice(2, 4), name), at, at);
      await insertFiles(db, [file]);
    }
    await db.updateTable('stored_file').set({ created_at: at }).execute();
  }

  const STAGES = 3;

  /**
   * Begins to publish a package as the service does: the file first, then its row and what names it in one transaction. Each
   * stage waits for a call of `go`.
   */
  function publish(number: number) {
    const gates = Array.from({ length: STAGES }, () => Promise.withResolvers<void>());
    let done = 0;
    let opened = 0;
    async function stage<T>(work: () => Promise<T>): Promise<T> {
      await gates[done]?.promise;
      const result = await work();
      done += 1;
      return result;
    }
    async function publishInStages(): Promise<void> {
      const one = prepared[number];
      if (!one) throw new Error('no such package');
      const file = await stage(() => storeFile(files, one));
      await db.transaction().execute(async (trx) => {
        await stage(() => insertFiles(trx, [file]));
        await stage(() =>
          sql`
          insert into plugin_version (plugin_id, version, package_key) values (${pluginId}, ${`2.0.${number}`}, ${file.key})
            on conflict (plugin_id, version) do update set package_key = excluded.package_key`.execute(trx),
        );
      });
    }
    let isPublished = false;
    const published = publishInStages().then(() => {
      isPublished = true;
    });
    /** Lets the next stage go on, and waits until it is done or waits for the sweep's transaction. */
    async function go(): Promise<void> {
      gates[opened]?.resolve();
      opened += 1;
      const isReached = () => (opened < STAGES ? done >= opened : isPublished);
      await until(async () => isReached() || (await isAnyoneWaiting()));
    }
    return { go, published };
  }

  async function isAnyoneWaiting(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    return rows.length > 0;
  }

  async function missing(): Promise<string[]> {
    const rows = await db
      .selectFrom('plugin_version')
      .leftJoin('stored_file', 'file_key', 'package_key')
      .select(['package_key', 'file_key', 'extension'])
      .where('package_key', 'is not', null)
      .execute();
    const gone: string[] = [];
    for (const { package_key, file_key, extension } of rows) {
      const isThere = file_key !== null && (await isStored(files, `${file_key}.${extension}`));
      if (!isThere) gone.push(package_key ?? '');
    }
    return gone;
  }

  /** Publishes each package in stages, the first at step `start(number)` of a sweep, and the others `gap` steps later each. */
  async function publishDuring(start: (number: number) => number, gap: number) {
    const packages = prepared.map((_, number) => ({ ...publish(number), start: start(number) }));
    const published = Promise.all(packages.map((one) => one.published));
    let step = 0;
    const swept = await runStepwise(async () => {
      const now = step;
      step += 1;
      for (const { go, start } of packages) {
        for (let stage = 0; stage < STAGES; stage += 1) if (start + stage * gap === now) await go();
      }
    });
    for (const { go } of packages) for (let stage = 0; stage < STAGES; stage += 1) await go();
    await published;
    return { ...swept, steps: step };
  }

  t.test('who publishes at any step of a sweep ends with row and file', async (t) => {
    await leaveBehind();
    const late = await publishDuring(() => Number.POSITIVE_INFINITY, 0);
    t.hasStrict(late, { rows: 6, files: 0, missing: 0 }, 'all are removed that are published afterwards');
    t.strictSame(await missing(), []);
    await leaveBehind();
    t.hasStrict(await publishDuring(() => 0, 0), { rows: 0, files: 0, missing: 0 }, 'none that were before');
    t.ok(late.steps > prepared.length * 2, `${late.steps} steps`);
    for (const gap of [0, 1, 2, 5]) {
      for (let first = 0; first < late.steps; first += prepared.length) {
        await leaveBehind();
        await publishDuring((number) => first + number, gap);
        t.strictSame(await missing(), [], `${gap} steps between, from step ${first}`);
        t.hasStrict(await run(), { rows: 0, files: 0, missing: 0 }, 'nothing is left to do');
      }
    }
  });

  t.test('a row that is being named is passed over', async (t) => {
    await leaveBehind();
    const [one] = prepared;
    if (!one) throw new Error('no such package');
    await db.transaction().execute(async (trx) => {
      await insertFiles(trx, [await storeFile(files, one)]);
      t.match(await run(), { rows: prepared.length - 1 });
      await trx.updateTable('plugin_version').set({ package_key: one.file.key }).execute();
    });
    t.strictSame(await missing(), []);
    t.strictSame(
      (await Array.fromAsync(files.list())).map(({ name }) => name),
      [storedName(one.file)],
    );
  });
});
