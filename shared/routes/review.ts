import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { AuditDetail, CodeFile } from '../entities/backstage.ts';
import { Cursor, Id, Nullable, PluginKey, Total } from '../entities/base.ts';
import { ReviewItem } from '../entities/review.ts';
import { managedFilters } from '../paging.ts';
import { route } from '../route.ts';

/** Review of submissions by administrators (specification sections 4 and 7). */
export const reviewRoutes = {
  listAudits: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit/list',
    access: 'admin',
    summary: 'The review list: what waits longest first, what is decided by the latest decision',
    query: Type.Object(managedFilters),
    data: Type.Object({
      ...Total,
      /** Waiting for review, whatever the filter. */
      waiting: Type.Integer(),
      next_cursor: Nullable(Cursor),
      audit_list: Type.Array(ReviewItem),
    }),
  }),
  readAudit: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/audit',
    access: 'admin',
    summary: 'One submission with everything a reviewer looks at',
    query: Type.Object({ submission_id: Id }),
    data: AuditDetail,
  }),
  readAuditCode: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/audit/code',
    access: 'admin',
    summary: 'Files of the package under review beside those of the last passed version',
    query: Type.Object({ submission_id: Id }),
    data: Type.Object({ passed_version: Nullable(Type.String()), file_list: Type.Array(CodeFile) }),
  }),
  claimAudit: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/audit/claim',
    access: 'admin',
    summary: 'Take a submission for review, or let go of it; 409 names who has it',
    body: Type.Object({ submission_id: Id, is_claimed: Type.Boolean() }),
    data: ReviewItem,
  }),
  decideAudit: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/audit/status',
    access: 'admin',
    summary: 'Approve (2) or refuse (3) what somebody else submitted; 409 names who was faster',
    body: Type.Object({
      plugin_key: PluginKey,
      /** The submission that was looked at; without it, the newest of the plugin. */
      submission_id: Type.Optional(Id),
      version: Type.Optional(Type.String({ maxLength: 64 })),
      audit_status: Type.Union([Type.Literal(2), Type.Literal(3)]),
      /** The status the reviewer saw; another one by now is a conflict. */
      expected_status: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
      reason: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.reason })),
    }),
    data: ReviewItem,
  }),
};
