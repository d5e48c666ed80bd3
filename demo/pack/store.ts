import { sql } from 'kysely';
import type { SiteSubmission } from '../../server/community/bundle/site.ts';
import type { Db } from '../../server/community/schema.ts';
import { type DemoSubmission, demoKey } from '../catalogue.ts';

const HOUR = 60;

/** What waits for review, in the order of the catalogue. */
export async function readWaiting(db: Db, submissions: readonly DemoSubmission[]): Promise<SiteSubmission[]> {
  const { rows } = await sql<Omit<SiteSubmission, 'minutes_ago' | 'reason'>>`
    select p.plugin_key, p.external_id, p.publisher_id, s.listing, s.findings,
        case when s.brings_version then jsonb_build_object(
          'version', v.version, 'kind', v.kind, 'note', v.note, 'is_hidden', v.is_hidden, 'package_key', v.package_key,
          'package_bytes', v.package_bytes, 'package_manifest', v.package_manifest,
          'allowed_domains', v.allowed_domains, 'findings', v.findings
        ) end as version
      from submission s join plugin p on p.id = s.plugin_id join plugin_version v on v.id = s.plugin_version_id
      where s.audit_status = 1 and not s.is_superseded order by s.id`.execute(db);
  return submissions.map(({ plugin, hours_ago, reason = null }) => {
    const found = rows.find(({ plugin_key }) => plugin_key === demoKey(plugin.slug));
    if (!found) throw new Error(`demo: ${plugin.slug} does not wait for review`);
    return { ...found, minutes_ago: hours_ago * HOUR, reason };
  });
}
