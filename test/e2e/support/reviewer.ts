import type { Kysely } from 'kysely';
import { lockSubmission } from '../../../server/community/catalogue/submissions/store.ts';
import { approveSubmission } from '../../../server/community/review/decisions/effects.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';

/** Decides on the open submission of a plugin. */
export type Reviewer = {
  pass(pluginKey: string): Promise<void>;
  refuse(pluginKey: string, reason: string): Promise<void>;
};

/** Reviews plugins directly in the database of a product. */
export function reviewerOf(db: Kysely<CommunityTables>): Reviewer {
  const decide = (pluginKey: string, audit_status: 2 | 3, reason: string | null): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('submission')
        .innerJoin('plugin', 'plugin.id', 'submission.plugin_id')
        .select('submission.id')
        .where('plugin_key', '=', pluginKey)
        .where('submission.audit_status', '=', 1)
        .where('is_superseded', '=', false)
        .executeTakeFirstOrThrow();
      const submission = await lockSubmission(trx, id);
      if (!submission) throw new Error(`${pluginKey} has no open submission.`);
      if (audit_status === 2) await approveSubmission(trx, submission, Date.now());
      else {
        await trx
          .updateTable('plugin_version')
          .set({ audit_status })
          .where('id', '=', submission.plugin_version_id)
          .where('audit_status', '=', 1)
          .execute();
      }
      const decided = { audit_status, reason, decided_at: new Date() };
      await trx.updateTable('submission').set(decided).where('id', '=', id).execute();
    });
  return {
    pass: (pluginKey) => decide(pluginKey, 2, null),
    refuse: (pluginKey, reason) => decide(pluginKey, 3, reason),
  };
}
