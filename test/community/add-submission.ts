import type { Db, StoredListing } from '../../server/community/schema.ts';
import { PUBLISHER_ID } from './add-plugin.ts';

const LISTING: StoredListing = {
  default_lang: 'en-US',
  name: { 'en-US': 'Handed in' },
  intro: { 'en-US': 'What was submitted' },
  description: { 'en-US': 'All of it' },
  tags: [],
  contact: 'maker@example.com',
  support: '',
  copyright: { kind: 'author', holder: '' },
  plugin_mark: '',
  icon_key: null,
  cover_key: null,
  panel_key: null,
  media: [],
};

export interface SubmissionDraft {
  pluginId: number;
  /** A version to be made; without it the submission is about the plugin's newest one. */
  version?: string;
  listing?: Partial<StoredListing>;
  status?: 1 | 2 | 3;
  reason?: string;
  createdAt?: Date;
  createdBy?: number;
}

/** Hands something in for a plugin that is there, and answers the submission's id. */
export async function addSubmission(db: Db, draft: SubmissionDraft): Promise<number> {
  const { pluginId: plugin_id, version, status = 1 } = draft;
  const plugin_version_id = version
    ? await addVersion(db, plugin_id, version, status)
    : await newestVersion(db, plugin_id);
  const { id } = await db
    .insertInto('submission')
    .values({
      plugin_id,
      plugin_version_id,
      brings_version: version !== undefined,
      is_first: false,
      listing: JSON.stringify({ ...LISTING, ...draft.listing }),
      audit_status: status,
      reason: draft.reason ?? null,
      created_by: draft.createdBy ?? PUBLISHER_ID,
      ...(draft.createdAt && { created_at: draft.createdAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function addVersion(db: Db, plugin_id: number, version: string, status: 1 | 2 | 3): Promise<number> {
  const row = await db
    .insertInto('plugin_version')
    .values({ plugin_id, version, note: '{"en-US":"Next"}', audit_status: status })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function newestVersion(db: Db, pluginId: number): Promise<number> {
  const row = await db
    .selectFrom('plugin_version')
    .select('id')
    .where('plugin_id', '=', pluginId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}
