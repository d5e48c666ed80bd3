import { createHash } from 'node:crypto';
import { pino } from 'pino';
import sharp from 'sharp';
import { openFolderStore } from '../../../server/community/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../../server/community/schema.ts';
import { sweep, UPLOAD_AGE } from '../../../server/community/sweep/sweep.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { isObject } from '../../../server/gateway/upstream.ts';
import { fileUrl, pictureUrl } from '../../../shared/media.ts';
import { silentLog } from '../../support/log.ts';
import { differences, type Ledger } from './ledger.ts';
import { openPerson, type Person, signIn } from './person.ts';

/** What acknowledged writes are gone or half there, as the site itself shows it; `only` the newest so many. */
export async function lostAt(
  person: Person,
  ledger: Ledger,
  only = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const lost: string[] = [];
  const approved = [...ledger.plugins].filter(([, known]) => [...known.audit_status].join() === '2');
  for (const [key, known] of approved.slice(-only)) {
    const answer = await person.browser.call(`/api/cmt/plugin?plugin_key=${key}`);
    if (answer.status !== 200) lost.push(`${key} ${answer.status}`);
    else {
      const detail = answer.json().data;
      lost.push(...differences(key, known, detail), ...(await lostMedia(person, key, detail)));
    }
  }
  for (const account of ledger.accounts.slice(-1)) {
    const known = openPerson(person.origin);
    await signIn(known, account).catch((error: Error) => lost.push(`${account.email} ${error.message}`));
    known.browser.close();
  }
  return lost;
}

async function lostMedia(person: Person, key: string, detail: Record<string, unknown>): Promise<string[]> {
  const icon = isObject(detail.icon) ? detail.icon : {};
  const media = Array.isArray(detail.media) ? detail.media : [];
  const video = media
    .map((item: unknown) => (isObject(item) ? item.url : undefined))
    .find((url) => url !== undefined);
  const lost: string[] = [];
  const picture = await person.browser.call(pictureUrl(String(icon.key), Number(Object(icon.widths)[0])));
  const size = await sharp(picture.bytes)
    .metadata()
    .catch(() => undefined);
  if (picture.status !== 200 || size?.format !== 'webp') lost.push(`${key} icon ${picture.status}`);
  const film = await person.browser.call(String(video));
  const hash = createHash('sha256').update(film.bytes).digest('hex');
  if (film.status !== 200 || fileUrl(`${hash}.mp4`) !== video) lost.push(`${key} video ${film.status}`);
  return lost;
}

/** Plugins and versions that are not whole, each query with what it finds. */
const HALF: Readonly<Record<string, string>> = {
  'version without its package': `select v.id from plugin_version v left join stored_file f on f.file_key = v.package_key
    where f.file_key is null`,
  'version that nobody submitted': `select v.id from plugin_version v
    where not exists (select from submission s where s.plugin_version_id = v.id and s.brings_version)`,
  'submission without its files': `select s.id from submission s
    where not exists (select from submission_file f where f.submission_id = s.id)`,
  'plugin without a version': `select p.id from plugin p
    where not exists (select from plugin_version v where v.plugin_id = p.id)`,
  'passed plugin without a text or version': `select p.id from plugin p where audit_status = 2 and (current_version_id is null
    or not exists (select from plugin_text x where x.plugin_id = p.id))`,
  'passed plugin without its pictures': `select p.id from plugin p where audit_status = 2 and (icon_key is null
    or 2 <> (select count(*) from plugin_media m where m.plugin_id = p.id))`,
  'decision that changed nothing': `select s.id from submission s join plugin_version v on v.id = s.plugin_version_id
    where s.audit_status = 2 and s.brings_version and v.audit_status <> 2`,
  'likes counted wrong': `select plugin_id from plugin_counter c
    where praise_count <> (select count(*) from plugin_like l where l.plugin_id = c.plugin_id)`,
  'installs counted wrong': `select plugin_id from plugin_counter c
    where install_count <> (select count(*) from plugin_install i where i.plugin_id = c.plugin_id)`,
};

/** Where everything lies: the address of the database and the data folder. */
type Kept = { url: string; dataDir: string };

/**
 * Everything that is wrong with what is kept, as the database and the folder have it, by the sweep's own rules: what is
 * left of uploads goes a day later, all that remains is named, and all that is named is there.
 */
export async function wrongIn({ url, dataDir }: Kept, ledger: Ledger): Promise<string[]> {
  const pool = openPool(url, { applicationName: 'test', schema: COMMUNITY_SCHEMA, log: silentLog });
  try {
    const wrong: string[] = [];
    for (const [what, query] of Object.entries(HALF)) {
      const { rows } = await pool.query(query);
      if (rows.length > 0) wrong.push(`${what}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    const { rows } = await pool.query<{ version: string }>(
      `select plugin_key || ' ' || version as version from plugin_version v join plugin p on p.id = v.plugin_id`,
    );
    const versions = new Set(rows.map(({ version }) => version));
    wrong.push(
      ...ledger.versions.filter((version) => !versions.has(version)).map((version) => `lost ${version}`),
    );
    return [...wrong, ...(await strayFiles(openKysely<CommunityTables>(pool), dataDir))];
  } finally {
    await pool.end();
  }
}

async function strayFiles(db: Db, dataDir: string): Promise<string[]> {
  const files = openFolderStore(dataDir);
  const later = () => Date.now() + UPLOAD_AGE + 60_000;
  const parts = { db, files, dataDir, log: pino({ level: 'silent' }) };
  const swept = await sweep({ ...parts, now: later });
  const again = await sweep({ ...parts, now: later, dryRun: true });
  const wrong = swept?.missing === 0 ? [] : [`missing files: ${swept?.missing}`];
  const left = Object.entries(again ?? { sweep: 1 }).filter(([, count]) => count > 0);
  return [...wrong, ...left.map(([what, count]) => `left over: ${count} ${what}`)];
}
