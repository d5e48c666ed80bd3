import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import {
  AUDIT_PASSED,
  AUDIT_REFUSED,
  AUDIT_WAITING,
  ROLE_ADMIN,
  ROLE_USER,
} from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { isAppError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { reorderByPopularity } from '../counters/store.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import type { FileStore } from '../media/files.ts';
import { openPictures } from '../media/pictures.ts';
import { openVideos } from '../media/stored-files.ts';
import { openPackageCheck } from '../packages/package-check.ts';
import { type CheckDependencies, checkSubmission } from '../publish/check-submission.ts';
import { readSnapshot } from '../publish/submission.ts';
import { type StoreDependencies, storeAndSubmit } from '../publish/submit.ts';
import { decideAudit } from '../review/decide.ts';
import type { Db } from '../schema.ts';
import { addSlot } from '../slots/slots.ts';
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
  finishPlugin,
  hasSlot,
  isUnfinished,
  readDemoPlugin,
  releaseDemoLock,
  renamePlugin,
  tryDemoLock,
  writeDemoState,
} from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REVIEWED_AFTER = 2 * HOUR;
const AT_A_TIME = 2;
const WITHOUT_LIMITS = { limits: [], quotaBytes: Number.MAX_SAFE_INTEGER };

export type DemoParts = {
  db: Db;
  files: FileStore;
  dataDir: string;
  log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now: () => number;
};
type Publishing = DemoParts &
  CheckDependencies &
  Omit<StoreDependencies, 'submitting'> & { folder: string; signal: AbortSignal };

type Decision = { audit_status: 2 | 3; reason?: string };

/** What is submitted when, and what an administrator decides on it; null leaves it waiting. */
type Step = Omit<DemoSubmission, 'hours_ago' | 'reason'> & {
  at: number;
  decision: Decision | null;
  /** Paths of pictures for a gallery that has none. */
  screens?: readonly string[];
};

/**
 * Publishes what the demo catalogue still lacks, latest first, the way people do: each version is submitted with its
 * files and approved by an administrator. It may be stopped, or killed, at any point: the next call goes on. One
 * instance at a time.
 * @param first only so many plugins, for a home page that is not empty
 */
export async function publishDemo(
  parts: DemoParts,
  { signal, first }: { signal: AbortSignal; first?: number },
): Promise<void> {
  if (!(await isUnfinished(parts.db))) return;
  await parts.db.connection().execute(async (connection) => {
    if (!(await tryDemoLock(connection))) return;
    try {
      if (await isUnfinished(parts.db)) await publishAll(parts, { signal, first });
    } finally {
      await releaseDemoLock(connection);
    }
  });
}

async function publishAll(
  parts: DemoParts,
  { signal, first }: { signal: AbortSignal; first: number | undefined },
): Promise<void> {
  const { db, files, dataDir, log } = parts;
  await mkdir(dataDir, { recursive: true });
  const folder = await mkdtemp(join(dataDir, 'demo-'));
  const [packages, videos] = [openPackageCheck(), openVideos()];
  const publishing = { ...parts, packages, videos, pictures: openPictures(files), folder, signal };
  const { plugins, submissions, slots } = loadCatalogue();
  const now = parts.now();
  try {
    const queue = [...plugins.entries()]
      .toSorted(([, a], [, b]) => a.updated_days_ago - b.updated_days_ago)
      .slice(0, first)
      .values();
    const work = async () => {
      for (const [index, plugin] of queue) {
        await publishPlugin(publishing, plugin, { index, now, withScreens: first === undefined });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    await reorderByPopularity(db);
    if (first !== undefined) return;
    for (const { hours_ago, reason, ...submission } of submissions) {
      const decision: Decision | null = reason === undefined ? null : { audit_status: AUDIT_REFUSED, reason };
      await take(publishing, { ...submission, at: now - hours_ago * HOUR, decision });
    }
    if (signal.aborted) return;
    for (const slug of slots) await feature(publishing, slug, now);
    await writeDemoState(db, 'complete');
    log.info('the demo catalogue is complete');
  } finally {
    await Promise.all([packages.close(), videos.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param place its place in the catalogue, which spreads plugins of one day over its hours; pictures of it at work come with
 * the second run, as a home page does without
 */
async function publishPlugin(
  publishing: Publishing,
  plugin: DemoPlugin,
  { index, now, withScreens }: { index: number; now: number; withScreens: boolean },
): Promise<void> {
  const submittedAt = (daysAgo: number): number =>
    now - daysAgo * DAY - ((index * 37) % 1440) * MINUTE - REVIEWED_AFTER;
  const decision: Decision = { audit_status: AUDIT_PASSED };
  for (const { days_ago, ...version } of plugin.versions) {
    const at = submittedAt(days_ago);
    await take(publishing, { plugin, version: { ...version, kind: 'new' }, at, decision });
  }
  const { screens, updated_days_ago } = plugin;
  if (withScreens && screens.length > 0) {
    await take(publishing, { plugin, screens, at: submittedAt(updated_days_ago) + MINUTE, decision });
  }
  if (!publishing.signal.aborted) await finishPlugin(publishing.db, plugin, index);
}

/** Takes a step unless it has been taken; what somebody has changed or deleted meanwhile stays as it is. */
async function take(publishing: Publishing, step: Step): Promise<void> {
  const { db, log, signal } = publishing;
  if (signal.aborted) return;
  const { plugin, version, screens, at, decision } = step;
  const key = demoKey(plugin.slug);
  try {
    const known = await readDemoPlugin(db, plugin);
    if (known?.is_deleted || (screens && (known?.media ?? 0) > 0)) return;
    if (known) await renamePlugin(db, known.plugin_key, key);
    const status = version && known?.versions[version.version];
    if (status === undefined) {
      const { plugin_key } = await submitStep(publishing, step, known ? key : null);
      await renamePlugin(db, plugin_key, key);
    }
    if (!decision || (status ?? AUDIT_WAITING) !== AUDIT_WAITING) return;
    const caller = callerOf(DEMO_REVIEWER, ROLE_ADMIN);
    const reviewing = {
      caller,
      language: plugin.default_language,
      now: at + REVIEWED_AFTER,
      reviewsOwn: true,
    };
    await decideAudit(db, { plugin_key: key, ...decision }, reviewing);
  } catch (error) {
    if (signal.aborted) return;
    if (!isAppError(error)) throw error;
    const { code, details } = error;
    log.warn({ code, details, plugin: plugin.slug }, 'a submission of the demo was left out');
  }
}

async function submitStep(publishing: Publishing, step: Step, key: string | null) {
  const { db, folder, signal } = publishing;
  const { plugin, version, program, listing, screens = [], at } = step;
  const { slug, plugin_mark, default_language } = plugin;
  const place = join(folder, `${slug}.json`);
  if (version) await writeFile(place, packageOf(plugin, version, program));
  // Marks are for administrators to give.
  const caller = callerOf(plugin.publisher, plugin_mark ? ROLE_ADMIN : ROLE_USER);
  const isNew = key === null;
  const checked = await checkSubmission(publishing, {
    caller,
    snapshot: isNew ? null : await readSnapshot(db, key, caller),
    needsPackage: isNew,
    fields: {
      ...listing,
      ...(isNew && { default_lang: default_language }),
      ...(isNew && plugin_mark && { plugin_mark }),
      ...(version && { version_kind: version.kind }),
    },
    files: {
      code: version ? [await upload('code', place)] : [],
      icon: isNew ? [await upload('icon', picturePath(`icons/${slug}`))] : [],
      cover: isNew ? [await upload('cover', picturePath(`covers/${slug}`))] : [],
      panel: [],
      media: await Promise.all(screens.map((path) => upload('media', path))),
    },
    language: default_language,
    signal,
  });
  return storeAndSubmit(
    { ...publishing, submitting: { db, quotas: WITHOUT_LIMITS, now: () => at } },
    checked,
  );
}

/** A year in a slot of the home page, unless the plugin had one already. */
async function feature({ db }: Publishing, slug: string, now: number): Promise<void> {
  const plugin_key = demoKey(slug);
  if (await hasSlot(db, plugin_key)) return;
  const doing = { caller: callerOf(DEMO_REVIEWER, ROLE_ADMIN), now, language: 'zh-CN' } as const;
  const isoOf = (at: number): string => new Date(at).toISOString();
  const slot = { plugin_key, start_at: isoOf(now), end_at: isoOf(now + 365 * DAY) };
  try {
    await addSlot(db, slot, doing);
  } catch (error) {
    // Somebody has deleted or hidden it.
    if (!isAppError(error) || error.code !== 'PLUGIN_NOT_FOUND') throw error;
  }
}

function callerOf(publisher: DemoPublisher, role: Role): Caller {
  return { user_id: demoUserId(publisher), role, nick_name: publisher.nick_name, avatar_url: '' };
}

async function upload(field: string, path: string): Promise<UploadedFile> {
  return { field, filename: field, path, bytes: (await stat(path)).size };
}
