import { createHash } from 'node:crypto';
import { startEmbeddedPostgres } from '@plugin-square/embedded-postgres';
import { pino } from 'pino';
import sharp from 'sharp';
import { openFolderStore } from '../../../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../../../server/community/schema.ts';
import { sweep, UPLOAD_AGE } from '../../../../server/community/sweep/sweep.ts';
import { openKysely, openPool } from '../../../../server/database/pool.ts';
import { isObject } from '../../../../server/gateway/upstream.ts';
import { fileUrl, pictureUrl } from '../../../../shared/media.ts';
import type { Received } from '../../../support/browser.ts';
import { silentLog } from '../../../support/log.ts';
import { openUser, signIn, type TestUser } from './user.ts';

/** Possible states of a plugin: one value after an answer, two while an answer is missing. */
export type KnownState = {
  version: Set<string>;
  audit_status: Set<number>;
  is_praise: Set<number>;
  is_installed: Set<boolean>;
};

/** All writes, as their clients know them. */
export type Ledger = {
  plugins: Map<string, KnownState>;
  /** Accepted versions, as "key version". */
  versions: string[];
  accounts: { email: string; password: string }[];
  /** Acknowledged writes, and those without an answer or with a temporary error. */
  acknowledged: number;
  unanswered: number;
  /** Answers that no fault explains, as "status body". */
  unexpected: string[];
  /** When the last write was acknowledged, by `performance.now()`. */
  lastAcknowledgedAt: number;
};

export function openLedger(): Ledger {
  return {
    plugins: new Map(),
    versions: [],
    accounts: [],
    acknowledged: 0,
    unanswered: 0,
    unexpected: [],
    lastAcknowledgedAt: 0,
  };
}

export function newlySubmitted(): KnownState {
  return {
    version: new Set(['1.0.0']),
    audit_status: new Set([1]),
    is_praise: new Set([-1]),
    is_installed: new Set([false]),
  };
}

/** After an acknowledged write only its value is possible. */
export function confirmValue<T>(values: Set<T>, value: T): void {
  values.clear();
  values.add(value);
}

/** Differences from the known state, as "key field value". */
function differences(key: string, known: KnownState, seen: Record<string, unknown>): string[] {
  return Object.entries(known).flatMap(([field, values]: [string, Set<unknown>]) =>
    values.has(seen[field]) ? [] : [`${key} ${field} ${String(seen[field])}`],
  );
}

/** A plugin as the site shows it. Read again if a writer changed it meanwhile: the answer may be older than that. */
async function readSettled(known: KnownState, read: () => Promise<Received>): Promise<Received> {
  const state = () => JSON.stringify(Object.values(known).map((values) => [...values]));
  let before: string;
  let answer: Received;
  do {
    before = state();
    answer = await read();
  } while (state() !== before);
  return answer;
}

/** Acknowledged writes that the site does not show completely. @param only the number of newest plugins to check */
export async function findLostWrites(
  user: TestUser,
  ledger: Ledger,
  only = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const lost: string[] = [];
  const approved = [...ledger.plugins].filter(([, known]) => [...known.audit_status].join() === '2');
  for (const [key, known] of approved.slice(-only)) {
    const answer = await readSettled(known, () => user.browser.call(`/api/cmt/plugin?plugin_key=${key}`));
    if (answer.status !== 200) lost.push(`${key} ${answer.status}`);
    else {
      const detail = answer.json().data;
      lost.push(...differences(key, known, detail), ...(await findLostMedia(user, key, detail)));
    }
  }
  for (const account of ledger.accounts.slice(-1)) {
    const known = openUser(user.origin);
    await signIn(known, account).catch((error: Error) => lost.push(`${account.email} ${error.message}`));
    known.browser.close();
  }
  return lost;
}

async function findLostMedia(
  user: TestUser,
  key: string,
  detail: Record<string, unknown>,
): Promise<string[]> {
  const icon = isObject(detail.icon) ? detail.icon : {};
  const media = Array.isArray(detail.media) ? detail.media : [];
  const video = media
    .map((item: unknown) => (isObject(item) ? item.url : undefined))
    .find((url) => url !== undefined);
  const lost: string[] = [];
  const picture = await user.browser.call(pictureUrl(String(icon.key), Number(Object(icon.widths)[0])));
  const size = await sharp(picture.bytes)
    .metadata()
    .catch(() => undefined);
  if (picture.status !== 200 || size?.format !== 'webp') lost.push(`${key} icon ${picture.status}`);
  const videoFile = await user.browser.call(String(video));
  const hash = createHash('sha256').update(videoFile.bytes).digest('hex');
  if (videoFile.status !== 200 || fileUrl(`${hash}.mp4`) !== video)
    lost.push(`${key} video ${videoFile.status}`);
  return lost;
}

/** Queries for incomplete records, by what they find. */
const INCONSISTENCIES: Readonly<Record<string, string>> = {
  'version without its package': `select v.id from plugin_version v left join stored_file f on f.file_key = v.package_key
    where f.file_key is null`,
  'version that nobody submitted': `select v.id from plugin_version v
    where not exists (select from submission s where s.plugin_version_id = v.id and s.brings_version)`,
  'submission without its files': `select s.id from submission s
    where not exists (select from submission_file f where f.submission_id = s.id)`,
  'plugin without a version': `select p.id from plugin p
    where not exists (select from plugin_version v where v.plugin_id = p.id)`,
  'approved plugin without a text or version': `select p.id from plugin p where audit_status = 2 and (current_version_id is null
    or not exists (select from plugin_text x where x.plugin_id = p.id))`,
  'approved plugin without its pictures': `select p.id from plugin p where audit_status = 2 and (icon_key is null
    or 2 <> (select count(*) from plugin_media m where m.plugin_id = p.id))`,
  'decision without effect': `select s.id from submission s join plugin_version v on v.id = s.plugin_version_id
    where s.audit_status = 2 and s.brings_version and v.audit_status <> 2`,
  'wrong number of likes': `select plugin_id from plugin_counter c
    where praise_count <> (select count(*) from plugin_like l where l.plugin_id = c.plugin_id)`,
  'wrong number of installs': `select plugin_id from plugin_counter c
    where install_count <> (select count(*) from plugin_install i where i.plugin_id = c.plugin_id)`,
};

type Storage = { url: string; dataDir: string };

/**
 * Inconsistencies of database and data folder. By the rules of the sweep, remains of uploads are deleted after a day; then
 * every file is referenced and every referenced file exists. The programs must have ended: they finish requests whose
 * clients are gone, and a file that is just being written would count.
 */
export async function findInconsistencies({ url, dataDir }: Storage, ledger: Ledger): Promise<string[]> {
  const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
  try {
    const found: string[] = [];
    for (const [what, query] of Object.entries(INCONSISTENCIES)) {
      const { rows } = await pool.query(query);
      if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    const { rows } = await pool.query<{ version: string }>(
      `select plugin_key || ' ' || version as version from plugin_version v join plugin p on p.id = v.plugin_id`,
    );
    const versions = new Set(rows.map(({ version }) => version));
    found.push(
      ...ledger.versions.filter((version) => !versions.has(version)).map((version) => `lost ${version}`),
    );
    return [...found, ...(await findStrayFiles(openKysely<CommunityTables>(pool), dataDir))];
  } finally {
    await pool.end();
  }
}

/** The same for a data folder with its own database. */
export async function findInconsistenciesOfFolder(dataDir: string, ledger: Ledger): Promise<string[]> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silentLog });
  return findInconsistencies({ url, dataDir }, ledger).finally(stop);
}

async function findStrayFiles(db: Db, dataDir: string): Promise<string[]> {
  const files = openFolderStore(dataDir);
  const later = () => Date.now() + UPLOAD_AGE + 60_000;
  const parts = { db, files, dataDir, log: pino({ level: 'silent' }) };
  const swept = await sweep({ ...parts, now: later });
  const again = await sweep({ ...parts, now: later, dryRun: true });
  const found = swept?.missing === 0 ? [] : [`missing files: ${swept?.missing}`];
  const left = Object.entries(again ?? { sweep: 1 }).filter(([, count]) => count > 0);
  return [...found, ...left.map(([what, count]) => `left over: ${count} ${what}`)];
}
