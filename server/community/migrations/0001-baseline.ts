import type { Kysely } from 'kysely';
import { catalogue } from './baseline/catalogue.ts';
import { curation } from './baseline/curation.ts';
import { files } from './baseline/files.ts';
import { help } from './baseline/help.ts';
import { lists } from './baseline/lists.ts';
import { management } from './baseline/management.ts';
import { people } from './baseline/people.ts';
import { publishing } from './baseline/publishing.ts';
import { review } from './baseline/review.ts';
import { search } from './baseline/search.ts';
import { statistics } from './baseline/statistics.ts';
import { use } from './baseline/use.ts';

/** A part refers to tables of those before it. */
const PARTS = [
  files,
  people,
  catalogue,
  lists,
  search,
  use,
  publishing,
  review,
  curation,
  help,
  management,
  statistics,
];

/** The schema of release 1.0.0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) await part.execute(db);
}
