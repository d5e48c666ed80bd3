import { type Static, Type } from 'typebox';

/** How much a remark weighs: an error refuses, a warning is for publisher and reviewer, a notice for the reviewer. */
export const Severity = Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('notice')]);
export type Severity = Static<typeof Severity>;

/**
 * A remark of a check on a package, a listing, a picture or a video (design section 7). Screens show their own text
 * by `code` and `params`; `message` is the English one, for command lines and logs.
 */
export const Finding = Type.Object({
  code: Type.String({ pattern: '^[A-Z][A-Z0-9_]+$' }),
  severity: Severity,
  /** JSON pointer (RFC 6901) into the package or the form; empty for the whole. */
  pointer: Type.String(),
  /** Line and column, from 1, of the uploaded file, or of `file` when that is named. */
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
  /** A file inside the package. */
  file: Type.Optional(Type.String()),
  message: Type.String(),
  /** Values of the text's placeholders. */
  params: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Finding = Static<typeof Finding>;
