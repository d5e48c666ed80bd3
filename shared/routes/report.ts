import { Type } from 'typebox';
import { TEXT_LIMITS, WITHDRAWAL_REASONS } from '../constants.ts';
import { Cursor, Id, Nothing, Nullable, PluginKey, TextsSchema, Total } from '../entities/base.ts';
import { OtherReport, OwnReport, Report, ReportReason, ReportState } from '../entities/site.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** Reports of users and their handling (R 4.9). */
export const reportRoutes = {
  reportPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/report',
    access: 'user',
    rateLimit: 'report',
    summary: 'Report a plugin to the administrators',
    body: Type.Object({
      plugin_key: PluginKey,
      kind: Type.Optional(ReportReason),
      reason: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason }),
    }),
    data: Nothing,
  }),
  listOwnReports: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/report/list',
    access: 'user',
    summary: "The caller's reports and their results",
    query: Type.Object({
      /** Also those of publishers and collections, on the same pages. */
      with_others: Type.Optional(Type.Literal(true)),
      ...paging,
    }),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      report_list: Type.Array(OwnReport),
      /** With `with_others`; the newest of both lists are first. */
      other_list: Type.Optional(Type.Array(OtherReport)),
    }),
  }),
  listReports: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/report/list',
    access: 'admin',
    summary: 'Reports of users, open ones first, oldest first',
    query: Type.Object({
      state: Type.Optional(ReportState),
      plugin_key: Type.Optional(PluginKey),
      ...paging,
    }),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      report_list: Type.Array(Report),
    }),
  }),
  decideReport: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/report',
    access: 'admin',
    summary:
      'Decide a report, and warn the publisher, hide or withdraw the plugin if it is upheld; 409 if another administrator has decided',
    body: Type.Object({
      id: Id,
      state: Type.Union([Type.Literal('accepted'), Type.Literal('dismissed')]),
      /** With an upheld report: also hides the plugin. */
      is_hidden: Type.Optional(Type.Literal(true)),
      /** With an upheld report: also withdraws the plugin. */
      withdrawal: Type.Optional(
        Type.Object({
          reason: Type.Enum(WITHDRAWAL_REASONS),
          text: TextsSchema(TEXT_LIMITS.reason),
          must_stop: Type.Boolean(),
        }),
      ),
      /** With an upheld report: the warning to the publisher, or the reason for hiding the plugin. */
      warning: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason })),
      decision: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.reason })),
    }),
    data: Report,
  }),
};
