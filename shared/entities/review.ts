import { Type } from 'typebox';
import { Nullable, PluginKey, Timestamp } from './base.ts';
import { AuditStatus, PluginCard } from './plugin.ts';

/** A remark of the package check (design section 7). */
export const Finding = Type.Object({
  code: Type.String(),
  pointer: Type.String(),
  message: Type.String(),
  line: Type.Optional(Type.Integer()),
});

/** What publishing answers at once. */
export const PublishResult = Type.Object({
  plugin_key: PluginKey,
  version: Type.String(),
  audit_status: AuditStatus,
  findings: Type.Array(Finding),
});

/** One item of a batch upload: one bad file never sinks the rest. */
export const BatchResult = Type.Object({
  file: Type.String(),
  index: Type.Integer(),
  ok: Type.Boolean(),
  plugin_key: Type.Optional(PluginKey),
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
});

/** A row of the review list and of the user's own plugins. */
export const AuditItem = Type.Object({
  plugin: PluginCard,
  version: Type.String(),
  audit_status: AuditStatus,
  reason: Nullable(Type.String()),
  findings: Type.Array(Finding),
  is_recommended: Type.Boolean(),
  is_silent: Type.Boolean(),
  submitted_at: Timestamp,
});
