import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import pLimit from 'p-limit';
import {
  AUDIT_PASSED,
  AUDIT_REFUSED,
  AUDIT_WAITING,
  ROLE_ADMIN,
  ROLE_USER,
} from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { isAppError } from '../../http/errors.ts';
import { reorderByPopularity } from '../catalogue/counters/store.ts';
import { startFilling, type Tell } from '../catalogue/filling/filling.ts';
import { addSlot } from '../curation/slots/slots.ts';
import type { UploadedFile } from '../files/forms/uploads.ts';
import type { FileStore } from '../files/media/files.ts';
import { openPictures } from '../files/media/pictures.ts';
import { openVideos } from '../files/media/stored-files.ts';
import type { Caller } from '../people/auth/caller.ts';
import { openPackageCheck } from '../publishing/packages/package-check.ts';
import { type CheckDependencies, checkSubmission } from '../publishing/publish/check-submission.ts';
import { readSnapshot } from '../publishing/publish/submission.ts';
import { type StoreDependencies, storeAndSubmit } from '../publishing/publish/submit.ts';
import { decideAudit } from '../review/decisions/decide.ts';
import type { Db } from '../schema.ts';
import {
  type DemoPlugin,
  type DemoPublisher,
  type DemoSubmission,
  loadCatalogue,
  packageOf,
  picturePath,
} from './catalogue.ts';
import {
  DEMO_REVIEWER,
  demoKey,
  demoUserId,
  findDemoPlugin,
  findWaiting,
  hasSlot,
  insertHistory,
  readKnownSlugs,
  readSetting,
  renamePlugin,
  withDemoLock,
  writeSetting,
} from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REVIEW_TIME = 2 * HOUR;
const CONCURRENCY = 2;
const WITHOUT_LIMITS = { limits: [], quotaBytes: Number.MAX_SAFE_INTEGER };

export type DemoOptions = {
  db: Db;
  files: FileStore;
  dataDir: string;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Gets lines about its progress; they are logged by default. */
  tell?: Tell | undefined;
};
type Publishing = DemoOptions &
  CheckDependencies &
  Pick<StoreDependencies, 'files' | 'pictures'> & { folder: string; signal: AbortSignal };

type Decision = { audit_status: 2 | 3; reason?: string };

/** One submission and the administrator's decision, null if it waits for review. */
type Step = Omit<DemoSubmission, 'hours_ago' | 'reason'> & {
  submittedAt: number;
  decision: Decision | null;
  /** Paths of pictures for an empty gallery. */
  screens?: readonly string[];
};

/** Continues to publish the demo once the app listens; on close it stops after the current plugin. */
export function publishDemoLater(app: FastifyInstance, options: DemoOptions): void {
  const stop = new AbortController();
  let publishing: Promise<void> | undefined;
  app.addHook('onListen', async () => {
    publishing = publishDemo(options, { signal: stop.signal }).catch((err: unknown) =>
      options.log.error({ err }, 'publishing the demo catalogue failed'),
    );
  });
  app.addHook('onClose', async () => {
    stop.abort();
    await publishing;
  });
}

/**
 * Publishes the missing plugins of the demo, latest first, the normal way: each version is submitted with its files and
 * approved by an administrator. After an interruption at any point the next call continues. One instance at a time.
 * @param run.first publishes only this number of plugins, enough for a home page
 */
export async function publishDemo(
  options: DemoOptions,
  run: { signal: AbortSignal; first?: number },
): Promise<void> {
  const isUnfinished = async () => (await readSetting(options.db, 'demo_catalogue')) === 'begun';
  if (!(await isUnfinished())) return;
  await withDemoLock(options.db, async () => {
    if (await isUnfinished()) await publishAll(options, run);
  });
}

async function publishAll(
  options: DemoOptions,
  { signal, first }: { signal: AbortSignal; first?: number },
): Promise<void> {
  const { db, files, dataDir, log, tell = (line) => log.info(line) } = options;
  await mkdir(dataDir, { recursive: true });
  const folder = await mkdtemp(join(dataDir, 'demo-'));
  const [packages, videos] = [openPackageCheck(), openVideos()];
  const publishing = { ...options, packages, videos, pictures: openPictures(files), folder, signal };
  const { plugins, submissions, slots } = loadCatalogue();
  const now = options.now();
  // The first plugins come without gallery pictures, so that the home page is there sooner.
  const withScreens = first === undefined;
  const known = await readKnownSlugs(db, plugins);
  const filler = await startFilling(db, { what: 'Demo', done: known.size, total: plugins.length, tell });
  try {
    const latest = [...plugins.entries()]
      .toSorted(([, a], [, b]) => a.updated_days_ago - b.updated_days_ago)
      .slice(0, first);
    await pLimit(CONCURRENCY).map(latest, async ([index, plugin]) => {
      const isPublished = await publishPlugin(publishing, plugin, { index, now, withScreens });
      if (known.has(plugin.slug)) await filler.still();
      else if (!signal.aborted) await filler.step(isPublished);
    });
    await reorderByPopularity(db);
    if (first !== undefined) return;
    for (const { hours_ago, reason, ...submission } of submissions) {
      const decision: Decision | null = reason === undefined ? null : { audit_status: AUDIT_REFUSED, reason };
      await runStep(publishing, { ...submission, submittedAt: now - hours_ago * HOUR, decision });
    }
    if (signal.aborted) return;
    for (const slug of slots) await addDemoSlot(db, slug, now);
    await writeSetting(db, 'demo_catalogue', 'complete');
    await filler.end();
  } catch (error) {
    // What failed first counts: without a database this fails as well.
    await filler.stop().catch(() => undefined);
    throw error;
  } finally {
    await Promise.all([packages.close(), videos.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param place.index position in the catalogue, which spreads the plugins of one day over its hours
 * @returns false if a part of it was refused
 */
async function publishPlugin(
  publishing: Publishing,
  plugin: DemoPlugin,
  { index, now, withScreens }: { index: number; now: number; withScreens: boolean },
): Promise<boolean> {
  const timeOf = (daysAgo: number) => now - daysAgo * DAY - ((index * 37) % 1440) * MINUTE - REVIEW_TIME;
  const decision: Decision = { audit_status: AUDIT_PASSED };
  let isPublished = true;
  for (const { days_ago, ...version } of plugin.versions) {
    const step: Step = {
      plugin,
      version: { ...version, kind: 'new' },
      submittedAt: timeOf(days_ago),
      decision,
    };
    isPublished = (await runStep(publishing, step)) && isPublished;
  }
  const { screens, updated_days_ago } = plugin;
  if (withScreens && screens.length > 0) {
    await runStep(publishing, { plugin, screens, submittedAt: timeOf(updated_days_ago) + MINUTE, decision });
  }
  if (!publishing.signal.aborted) await insertHistory(publishing.db, plugin, index);
  return isPublished;
}

/**
 * Runs a step that is still missing; what users have changed or deleted meanwhile stays as it is.
 * @returns false if it was refused
 */
async function runStep(publishing: Publishing, step: Step): Promise<boolean> {
  const { db, log, signal } = publishing;
  if (signal.aborted) return true;
  const { plugin, version, screens, submittedAt, decision } = step;
  const plugin_key = demoKey(plugin.slug);
  try {
    const known = await findDemoPlugin(db, plugin);
    if (known?.is_deleted || (screens && known?.has_media)) return true;
    if (known) await renamePlugin(db, known.plugin_key, plugin_key);
    const status = version && known?.versions[version.version];
    if (status === undefined) {
      const submitted = await submit(publishing, step, known ? plugin_key : null);
      await renamePlugin(db, submitted.plugin_key, plugin_key);
    }
    if (!decision || (status ?? AUDIT_WAITING) !== AUDIT_WAITING) return true;
    const waiting = await findWaiting(db, plugin_key);
    if (!waiting) return true;
    await decideAudit(
      db,
      { plugin_key, ...waiting, ...decision },
      {
        caller: callerOf(DEMO_REVIEWER, ROLE_ADMIN),
        language: plugin.default_language,
        now: submittedAt + REVIEW_TIME,
        reviewsOwn: true,
      },
    );
  } catch (error) {
    if (signal.aborted) return true;
    if (!isAppError(error)) throw error;
    const { code, details } = error;
    log.warn({ code, details, plugin: plugin.slug }, 'a submission of the demo was skipped');
    return false;
  }
  return true;
}

async function submit(publishing: Publishing, step: Step, key: string | null) {
  const { db, folder, signal } = publishing;
  const { plugin, version, program, listing, screens = [], submittedAt } = step;
  const { slug, plugin_mark, default_language: language } = plugin;
  const codePath = join(folder, `${slug}.json`);
  if (version) await writeFile(codePath, packageOf(plugin, version, program));
  // Only administrators may set marks.
  const caller = callerOf(plugin.publisher, plugin_mark ? ROLE_ADMIN : ROLE_USER);
  const isNew = key === null;
  const submitting = { db, quotas: WITHOUT_LIMITS, now: () => submittedAt };
  const checked = await checkSubmission(publishing, {
    caller,
    snapshot: isNew ? null : await readSnapshot(submitting, key, caller),
    needsPackage: isNew,
    fields: {
      ...listing,
      ...(isNew && { default_lang: language, ...(plugin_mark && { plugin_mark }) }),
      ...(version && { version_kind: version.kind }),
    },
    files: {
      code: version ? [await upload('code', codePath)] : [],
      icon: isNew ? [await upload('icon', picturePath(`icons/${slug}`))] : [],
      cover: isNew ? [await upload('cover', picturePath(`covers/${slug}`))] : [],
      panel: [],
      media: await Promise.all(screens.map((path) => upload('media', path))),
    },
    language,
    signal,
  });
  return storeAndSubmit({ ...publishing, ...submitting }, checked);
}

/** Adds a slot of one year, unless the plugin has had one before. */
async function addDemoSlot(db: Db, slug: string, now: number): Promise<void> {
  const plugin_key = demoKey(slug);
  if (await hasSlot(db, plugin_key)) return;
  const [start_at, end_at] = [new Date(now).toISOString(), new Date(now + 365 * DAY).toISOString()];
  try {
    const caller = callerOf(DEMO_REVIEWER, ROLE_ADMIN);
    await addSlot(db, { plugin_key, start_at, end_at }, { caller, now, language: 'zh-CN' });
  } catch (error) {
    // The plugin was deleted or hidden.
    if (!isAppError(error) || error.code !== 'PLUGIN_NOT_FOUND') throw error;
  }
}

function callerOf(publisher: DemoPublisher, role: Role): Caller {
  return { user_id: demoUserId(publisher), role, nick_name: publisher.nick_name, avatar_url: '' };
}

async function upload(field: string, path: string): Promise<UploadedFile> {
  return { field, filename: field, path, bytes: (await stat(path)).size };
}
