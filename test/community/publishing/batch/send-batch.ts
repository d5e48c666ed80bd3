import { contract } from '../../../../shared/contract.ts';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { TestCommunity } from '../../../support/community.ts';
import { type Answer, dataOf } from '../../ask.ts';

export const ADMIN_ID = 50;

/** Fields of a test's package that differ from the default. */
export interface PackageDraft {
  name?: string;
  id?: string | null;
  version?: string | null;
  code?: string;
  listing?: Record<string, unknown>;
}

/** A package that has nothing wrong with it. */
export function packageOf(draft: PackageDraft = {}): Record<string, unknown> {
  const { name = 'Packed', id = null, version = '1.0.0', code = 'start();' } = draft;
  return {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      name,
      ...(id !== null && { id }),
      main: 'main.js',
      editorType: ['pixso'],
      networkAccess: { allowedDomains: ['none'] },
    },
    files: { 'main.js': code },
    listing: {
      ...(version !== null && { version }),
      intro: { 'en-US': 'Made in a test' },
      description: { 'en-US': 'Made in a test, at length' },
      contact: 'maker@example.com',
      versionNote: { 'en-US': 'First' },
      ...draft.listing,
    },
  };
}

export interface BatchDraft {
  /** Contents by file name: a text as it is, anything else as JSON. */
  files: readonly (readonly [filename: string, content: unknown])[];
  items?: unknown;
  /** Pictures that items name by their place. */
  media?: readonly Uint8Array[];
  dryRun?: boolean;
  userId?: number;
  role?: 0 | 1 | 2;
  signal?: AbortSignal;
}

export async function sendBatch(community: TestCommunity, draft: BatchDraft): Promise<Answer> {
  const { files, items, media = [], dryRun, userId = ADMIN_ID, role = 2, signal } = draft;
  const form = new FormData();
  for (const [filename, content] of files) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    form.append('files', new Blob([text], { type: 'application/json' }), filename);
  }
  for (const picture of media) form.append('media', new Blob([new Uint8Array(picture)]), 'picture');
  if (items !== undefined) form.append('items', typeof items === 'string' ? items : JSON.stringify(items));
  const query = dryRun ? '?dry_run=1' : '';
  const response = await fetch(`${community.url}/api/cmt/manager/plugins/upload${query}`, {
    method: 'POST',
    headers: await community.bearer(userId, role),
    body: form,
    ...(signal && { signal }),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** The results of a batch that was accepted. */
export async function importBatch(community: TestCommunity, draft: BatchDraft): Promise<BatchResult[]> {
  return dataOf(await sendBatch(community, draft), contract.uploadBatch.data).results;
}
