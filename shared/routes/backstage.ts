import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { Cursor, Nothing, Nullable, PluginKey, Timestamp } from '../entities/base.ts';
import { AuditStatus } from '../entities/plugin.ts';
import { AuditItem } from '../entities/review.ts';
import { Banner, QrCode, Report, ResourceSlot } from '../entities/site.ts';
import { route } from '../route.ts';

const paging = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

/** Review and curation by administrators (specification section 7). */
export const backstageRoutes = {
  listAudits: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit/list',
    access: 'admin',
    summary: 'The review list',
    query: Type.Object({
      audit_status: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
      keyword: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.keyword })),
      ...paging,
    }),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      audit_list: Type.Array(AuditItem),
    }),
  }),
  decideAudit: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/audit/status',
    access: 'admin',
    summary: 'Approve or refuse a version',
    body: Type.Object({
      plugin_key: PluginKey,
      version: Type.String({ maxLength: 64 }),
      audit_status: AuditStatus,
      reason: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.reason })),
    }),
    data: Nothing,
  }),
  recommendPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/recommendation/publish',
    access: 'admin',
    summary: 'Recommend a plugin, or end it',
    body: Type.Object({
      plugin_key: PluginKey,
      is_recommended: Type.Boolean(),
      position: Type.Optional(Type.Integer()),
    }),
    data: Nothing,
  }),
  setSilentInstall: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/silent_install',
    access: 'admin',
    summary: 'Make a plugin a default install, or end it',
    body: Type.Object({ plugin_key: PluginKey, is_silent: Type.Boolean() }),
    data: Nothing,
  }),
  installDefaults: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/user/new/silent',
    access: 'user',
    summary: 'Install the default plugins for the caller, each once',
    data: Type.Object({ plugin_keys: Type.Array(PluginKey) }),
  }),
  addSlot: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/resource_state',
    access: 'admin',
    summary: 'Add a resource slot',
    body: Type.Object({
      plugin_key: PluginKey,
      link: Type.String({ maxLength: 2048 }),
      start_at: Timestamp,
      end_at: Timestamp,
    }),
    data: ResourceSlot,
  }),
  disableSlot: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/resource_state/disable',
    access: 'admin',
    summary: 'Invalidate or restore a resource slot',
    query: Type.Object({ id: Type.Integer(), is_disabled: Type.Boolean() }),
    data: ResourceSlot,
  }),
  listSlots: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/resource_state/list',
    access: 'admin',
    summary: 'Resource slots with their status',
    query: Type.Object(paging),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      slot_list: Type.Array(ResourceSlot),
    }),
  }),
  saveBanner: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin-banner',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Add or change a banner',
    body: Type.Object({
      id: Type.Optional(Type.Integer()),
      redirect_url: Type.Optional(Type.String({ maxLength: 2048 })),
      position: Type.Optional(Type.Integer()),
    }),
    data: Banner,
  }),
  deleteBanner: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/plugin-banner',
    access: 'admin',
    summary: 'Delete a banner',
    body: Type.Object({ id: Type.Integer() }),
    data: Nothing,
  }),
  listQrCodes: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/qr-code/list',
    access: 'admin',
    summary: 'QR codes: name and picture',
    data: Type.Object({ qr_code_list: Type.Array(QrCode) }),
  }),
  listReports: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/report/list',
    access: 'admin',
    summary: 'What users have reported',
    query: Type.Object(paging),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      report_list: Type.Array(Report),
    }),
  }),
  decideReport: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/report',
    access: 'admin',
    summary: 'Decide a report',
    body: Type.Object({
      id: Type.Integer(),
      state: Type.Union([Type.Literal('accepted'), Type.Literal('dismissed')]),
      decision: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.reason })),
    }),
    data: Report,
  }),
};
