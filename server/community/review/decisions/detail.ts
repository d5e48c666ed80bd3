import { AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { AuditDetail } from '../../../../shared/entities/backstage.ts';
import type { Listing, PluginDetail } from '../../../../shared/entities/plugin.ts';
import {
  FALLBACK_LANGUAGE,
  isLanguage,
  type Language,
  type Texts,
  textIn,
} from '../../../../shared/languages.ts';
import { readHostRanges, withSpans } from '../../../../shared/package/hosts.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import { appError } from '../../../http/errors.ts';
import { resolveListings } from '../../catalogue/submissions/listings.ts';
import { readSubmissionRows } from '../../catalogue/submissions/store.ts';
import { descriptionIn } from '../../descriptions.ts';
import { factsIn } from '../../listing-facts.ts';
import type { Db, StoredListing } from '../../schema.ts';
import {
  type DetailRow,
  readDecisions,
  readDetailRow,
  readNames,
  readPassedBefore,
  readVersionPermissions,
  recordReviewView,
} from './detail-store.ts';
import { type Reviewing, toReviewItem } from './queue.ts';

/**
 * A submission with everything a reviewer needs: the approved state before it, and all decisions on its plugin. Records that
 * the caller has opened it.
 * @throws SUBMISSION_NOT_FOUND
 */
export async function readAudit(db: Db, submissionId: number, reviewing: Reviewing): Promise<AuditDetail> {
  const { caller, language, now } = reviewing;
  await recordReviewView(db, { submissionId, userId: caller.user_id, at: new Date(now) });
  const [[row], detail, passed, decisions] = await Promise.all([
    readSubmissionRows(db, [submissionId], caller.user_id),
    readDetailRow(db, submissionId),
    readPassedBefore(db, submissionId),
    readDecisions(db, submissionId),
  ]);
  if (!row || !detail) throw appError('SUBMISSION_NOT_FOUND');
  const stored = passed ? [row.listing, passed.listing] : [row.listing];
  const [listing, passedListing] = await resolveListings(db, stored);
  if (!listing) throw appError('SUBMISSION_NOT_FOUND');
  const item = toReviewItem(row, reviewing);
  const publishedId =
    item.audit_status === AUDIT_WAITING ? detail.current_version_id : (passed?.plugin_version_id ?? null);
  const [published, names] = await Promise.all([
    publishedId === null ? undefined : readVersionPermissions(db, publishedId),
    readNames(db, {
      tags: stored.flatMap(({ tags }) => tags),
      marks: stored.map(({ plugin_mark }) => plugin_mark),
    }),
  ]);
  return {
    item,
    preview: previewOf(item, { listing, stored: row.listing }, detail, language),
    listing,
    version_note: detail.version_note,
    passed: passed && passedListing ? { version: passed.version, listing: passedListing } : null,
    rights: {
      asked: rightsOf(detail.package_manifest, detail.allowed_domains),
      hosts: withSpans(readHostRanges(detail.host_range)),
      published: published
        ? {
            version: published.version,
            rights: rightsOf(published.package_manifest, published.allowed_domains),
            hosts: withSpans(readHostRanges(published.host_range)),
          }
        : null,
    },
    tag_names: namesIn(names.tags, language),
    mark_names: namesIn(names.marks, language),
    history: decisions.map((decision) => ({ ...decision, decided_at: decision.decided_at.toISOString() })),
  };
}

function namesIn(
  named: readonly { code: string; name: Texts }[],
  language: Language,
): Record<string, string> {
  return Object.fromEntries(
    named.map(({ code, name }) => [code, textIn(name, language, FALLBACK_LANGUAGE).text]),
  );
}

/** The plugin's page as users will see it after approval. */
function previewOf(
  { plugin, audit_status }: AuditDetail['item'],
  { listing, stored }: { listing: Listing; stored: StoredListing },
  { allowed_domains, host_range, package_bytes, created_at }: DetailRow,
  language: Language,
): PluginDetail {
  const { description, description_markdown: markdown = {} } = stored;
  const support = textIn(listing.support, language, listing.default_lang);
  const { kind, holder } = listing.copyright;
  return {
    ...plugin,
    ...descriptionIn({ description, markdown }, language, listing.default_lang),
    ...factsIn(stored, language, listing.default_lang),
    languages: Object.keys(listing.name).filter(isLanguage),
    media: listing.media,
    panel: listing.panel,
    contact: listing.contact,
    support: support.text,
    support_lang: support.lang,
    copyright: { kind, holder: kind === 'author' ? plugin.publisher.nick_name : holder },
    allowed_domains,
    hosts: withSpans(readHostRanges(host_range)),
    package_bytes,
    audit_status,
    created_at: created_at.toISOString(),
  };
}
