import { type Static, Type } from 'typebox';

/** Errors refuse a submission, warnings are for publisher and reviewer, and notices for the reviewer. */
export const Severity = Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('notice')]);
export type Severity = Static<typeof Severity>;

/**
 * A finding of a check of a package, listing, picture or video (R 6.12). The web client has its own texts
 * by `code` and `params`; `message` is the English one, for command lines and logs.
 */
export const Finding = Type.Object({
  code: Type.String({ pattern: '^[A-Z][A-Z0-9_]+$' }),
  severity: Severity,
  /** JSON pointer (RFC 6901) into the package or the form; empty for the whole. */
  pointer: Type.String(),
  /** Line and column, both from 1, in the uploaded file, or in `file` if present. */
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  column: Type.Optional(Type.Integer({ minimum: 1 })),
  /** A file inside the package. */
  file: Type.Optional(Type.String()),
  message: Type.String(),
  /** Values of the text's placeholders. */
  params: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Finding = Static<typeof Finding>;
