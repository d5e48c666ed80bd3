import { Type } from 'typebox';
import { Checklist, Statistics, TrailEntry } from '../entities/backstage.ts';
import { Cursor, Id, Nullable, PluginKey, Timestamp, Total } from '../entities/base.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** What administrators can look up: who did what, figures by day, what is still empty. */
export const insightRoutes = {
  listTrail: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/audit-trail/list',
    access: 'admin',
    summary: 'Who did what, when and why',
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
      entry_list: Type.Array(TrailEntry),
    }),
  }),
  exportTrail: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/audit-trail/export',
    access: 'admin',
    file: true,
    summary: 'The audit trail as CSV',
    /** `from` belongs to the span, `until` does not. */
    query: Type.Object({ from: Type.Optional(Timestamp), until: Type.Optional(Timestamp) }),
  }),
  readStatistics: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/statistics',
    access: 'admin',
    compress: true,
    summary: 'Figures per day, of all plugins or of one',
    query: Type.Object({
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
      plugin_key: Type.Optional(PluginKey),
    }),
    data: Statistics,
  }),
  readChecklist: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/checklist',
    access: 'admin',
    summary: 'What of a site is filled, and what is still empty',
    data: Checklist,
  }),
};
