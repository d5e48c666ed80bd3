import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { AuditDetail, CodeFile } from '../entities/backstage.ts';
import { Cursor, Id, Nullable, PluginKey, Total } from '../entities/base.ts';
import { ReviewItem } from '../entities/review.ts';
import { managedFilters } from '../paging.ts';
import { route } from '../route.ts';

/** Review of submissions by administrators (R 7.2). */
export const reviewRoutes = {
  listAudits: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit/list',
    access: 'admin',
    summary: 'The review list: the oldest pending ones first, or the latest decisions first',
    query: Type.Object(managedFilters),
    data: Type.Object({
      ...Total,
      /** Number of pending submissions, independent of the filter. */
      waiting: Type.Integer(),
      /** Number of submissions in every state, independent of the filter. */
      submitted: Type.Integer(),
      next_cursor: Nullable(Cursor),
      audit_list: Type.Array(ReviewItem),
    }),
  }),
  readAudit: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/audit',
    access: 'admin',
    summary: 'A submission with all data for its review',
    query: Type.Object({ submission_id: Id }),
    data: AuditDetail,
  }),
  readAuditCode: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/audit/code',
    access: 'admin',
    summary: 'Files of the package under review and of the last approved version',
    query: Type.Object({ submission_id: Id }),
    data: Type.Object({ passed_version: Nullable(Type.String()), file_list: Type.Array(CodeFile) }),
  }),
  claimAudit: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/audit/claim',
    access: 'admin',
    summary: 'Claim or release a submission; 409 with the reviewer who has claimed it',
    body: Type.Object({ submission_id: Id, is_claimed: Type.Boolean() }),
    data: ReviewItem,
  }),
  decideAudit: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/audit/status',
    access: 'admin',
    summary:
      'Approve (2) or reject (3) a submission of another user; 409 with the administrator who has decided',
    body: Type.Object({
      plugin_key: PluginKey,
      /** The reviewed submission and its version: what was not seen cannot be approved. */
      submission_id: Id,
      version: Type.String({ maxLength: 64 }),
      audit_status: Type.Union([Type.Literal(2), Type.Literal(3)]),
      /** The status that the reviewer saw; if it has changed, the response is a conflict. */
      expected_status: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      reason: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.reason })),
    }),
    data: ReviewItem,
  }),
};
