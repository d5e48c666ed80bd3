import { Type } from 'typebox';
import { AuditLogEntry, Checklist, MissedSearch, Statistics } from '../entities/backstage.ts';
import { Cursor, Id, Nullable, PluginKey, Timestamp, Total } from '../entities/base.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** Audit log, daily statistics and setup checklist for administrators. */
export const insightRoutes = {
  listAuditLog: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/audit-trail/list',
    access: 'admin',
    summary: 'The audit log',
    query: Type.Object({
      action: Type.Optional(Type.String({ maxLength: 64 })),
      target_kind: Type.Optional(Type.String({ maxLength: 64 })),
      target_id: Type.Optional(Type.String({ maxLength: 64 })),
      actor_id: Type.Optional(Id),
      ...paging,
    }),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      entry_list: Type.Array(AuditLogEntry),
    }),
  }),
  exportAuditLog: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/audit-trail/export',
    access: 'admin',
    file: true,
    summary: 'The audit log as CSV',
    /** `from` is inclusive, `until` exclusive. */
    query: Type.Object({ from: Type.Optional(Timestamp), until: Type.Optional(Timestamp) }),
  }),
  readStatistics: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/statistics',
    access: 'admin',
    compress: true,
    summary: 'Daily statistics of all plugins or of one',
    query: Type.Object({
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
      plugin_key: Type.Optional(PluginKey),
    }),
    data: Statistics,
  }),
  listMissedSearches: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/search/missed',
    access: 'admin',
    summary: 'What is searched for and not found, the most frequent first; nothing tells who searched',
    data: Type.Object({ missed_list: Type.Array(MissedSearch) }),
  }),
  readChecklist: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/checklist',
    access: 'admin',
    summary: 'Parts of the site that are set up, and parts that are still empty',
    data: Checklist,
  }),
};
