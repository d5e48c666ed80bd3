import type { AuditItem } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { toMark } from '../marks/store.ts';
import { headlineIn, praiseOf, toTag } from '../plugins/cards.ts';
import type { SubmissionRow } from './store.ts';

/** A submission for the response, with texts in one language; an expired claim is left out. */
export function toAuditItem(row: SubmissionRow, language: Language, now: number): AuditItem {
  const { listing, claimed_until } = row;
  const isClaimed = claimed_until !== null && claimed_until.getTime() > now;
  return {
    submission_id: row.id,
    plugin: {
      plugin_key: row.plugin_key,
      is_praise: praiseOf(row.is_liked),
      is_installed: row.is_installed,
      ...headlineIn(listing, language, listing.default_lang),
      icon: row.icon,
      cover: row.cover,
      tags: row.tags.map((tag) => toTag(tag, language)),
      publisher: row.publisher,
      plugin_mark: listing.plugin_mark,
      mark: toMark(row.mark, language),
      version: row.version,
      praise_count: row.praise_count,
      install_count: row.install_count,
      view_count: row.view_count,
      updated_at: row.created_at.toISOString(),
      ...(row.is_deprecated && { is_deprecated: true }),
    },
    version: row.version,
    version_kind: row.version_kind,
    brings_version: row.brings_version,
    is_first: row.is_first,
    is_live: row.is_live,
    current_version: row.current_version,
    is_hidden: row.is_hidden,
    audit_status: row.audit_status,
    reason: row.reason,
    findings: row.findings,
    is_recommended: row.is_recommended,
    is_silent: row.is_silent,
    submitted_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by,
    claimed_by: isClaimed ? row.claimed_by : null,
    claimed_until: isClaimed ? claimed_until.toISOString() : null,
  };
}
