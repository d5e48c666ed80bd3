import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Signing } from '../../server/community/catalogue/transparency/approvals.ts';
import type { UploadedFile } from '../../server/community/files/forms/uploads.ts';
import { openPictures } from '../../server/community/files/media/pictures.ts';
import { openVideos } from '../../server/community/files/media/stored-files.ts';
import type { Caller } from '../../server/community/people/auth/caller.ts';
import { openDescriptions } from '../../server/community/publishing/descriptions/descriptions.ts';
import { openPackageCheck } from '../../server/community/publishing/packages/package-check.ts';
import {
  type CheckDependencies,
  checkSubmission,
} from '../../server/community/publishing/publish/check-submission.ts';
import { readSnapshot } from '../../server/community/publishing/publish/submission.ts';
import { type StoreDependencies, storeAndSubmit } from '../../server/community/publishing/publish/submit.ts';
import { decideAudit } from '../../server/community/review/decisions/decide.ts';
import type { Db } from '../../server/community/schema.ts';
import { createEncryptor } from '../../server/encryption/encryptor.ts';
import { AUDIT_PASSED, ROLE_ADMIN, ROLE_USER } from '../../shared/constants.ts';
import type { Role } from '../../shared/entities/user.ts';
import {
  type Catalogue,
  DEMO_REVIEWER,
  type DemoPublisher,
  type DemoSubmission,
  demoKey,
  demoUserId,
  packageOf,
  picturePath,
} from '../catalogue.ts';

const MINUTE = 60_000;
/** Far from the limits of an hour and a day between two submissions. */
const WITHOUT_LIMITS = { limits: [], quotaBytes: Number.MAX_SAFE_INTEGER };

type Step = Omit<DemoSubmission, 'hours_ago' | 'reason'> & { isApproved: boolean };

type Publishing = CheckDependencies &
  StoreDependencies & {
    folder: string;
    /** Each step is a minute after the one before. */
    now: () => number;
    signing: Signing;
  };

/**
 * Publishes the demo like anybody does: each version is checked and submitted with its files, and approved by an
 * administrator. What waits for review or is to be rejected is submitted after all others.
 * @param stores.folder for packages on their way
 * @throws AppError with all errors of a submission that is refused
 */
export async function publishDemo(
  { plugins, submissions }: Pick<Catalogue, 'plugins' | 'submissions'>,
  { db, files, folder }: Pick<Publishing, 'db' | 'files' | 'folder'>,
): Promise<void> {
  const [packages, videos, descriptions] = [openPackageCheck(), openVideos(), openDescriptions({})];
  const pictures = openPictures(files);
  // Whoever imports the demo signs it for their own site.
  const signing = { issuer: 'http://localhost', encryptor: createEncryptor([randomBytes(32)], 'demo') };
  let minute = 0;
  const now = () => {
    minute += 1;
    return minute * MINUTE;
  };
  const publishing = {
    db,
    files,
    packages,
    videos,
    descriptions,
    pictures,
    folder,
    quotas: WITHOUT_LIMITS,
    now,
    signing,
  };
  try {
    for (const plugin of plugins)
      for (const { version, note } of plugin.versions)
        await publish(publishing, { plugin, version: { version, kind: 'new', note }, isApproved: true });
    for (const submission of submissions) await publish(publishing, { ...submission, isApproved: false });
  } finally {
    await Promise.all([packages.close(), videos.close(), descriptions.close()]);
  }
}

async function publish(publishing: Publishing, step: Step): Promise<void> {
  const { db, now, signing } = publishing;
  const { plugin, version, isApproved } = step;
  const plugin_key = demoKey(plugin.slug);
  const result = await submit(publishing, step);
  // Readable in place of the random one.
  if (result.plugin_key !== plugin_key)
    await db.updateTable('plugin').set({ plugin_key }).where('plugin_key', '=', result.plugin_key).execute();
  if (!isApproved || !version) return;
  const { id: submission_id } = await db
    .selectFrom('submission')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  await decideAudit(
    { db, signing },
    { plugin_key, submission_id, version: version.version, audit_status: AUDIT_PASSED },
    {
      caller: callerOf(DEMO_REVIEWER, ROLE_ADMIN),
      language: plugin.default_language,
      now: now(),
      reviewsOwn: true,
    },
  );
}

async function submit(publishing: Publishing, { plugin, version, program, listing }: Step) {
  const { db, folder } = publishing;
  const { slug, plugin_mark, default_language: language, screens } = plugin;
  const codePath = join(folder, `${slug}.json`);
  if (version) await writeFile(codePath, packageOf(plugin, version, program));
  // Only administrators may set marks.
  const caller = callerOf(plugin.publisher, plugin_mark ? ROLE_ADMIN : ROLE_USER);
  const isNew = !(await exists(db, demoKey(slug)));
  const checked = await checkSubmission(publishing, {
    caller,
    snapshot: isNew ? null : await readSnapshot(publishing, demoKey(slug), caller),
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
      media: isNew ? await Promise.all(screens.map((path) => upload('media', path))) : [],
    },
    language,
    signal: new AbortController().signal,
  });
  return storeAndSubmit(publishing, checked);
}

async function exists(db: Db, plugin_key: string): Promise<boolean> {
  const found = db.selectFrom('plugin').select('id').where('plugin_key', '=', plugin_key);
  return (await found.executeTakeFirst()) !== undefined;
}

function callerOf(publisher: DemoPublisher, role: Role): Caller {
  return { user_id: demoUserId(publisher), role, nick_name: publisher.nick_name, avatar_url: '' };
}

async function upload(field: string, path: string): Promise<UploadedFile> {
  return { field, filename: field, path, bytes: (await stat(path)).size };
}
