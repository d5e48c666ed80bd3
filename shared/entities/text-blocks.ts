import { type Static, Type } from 'typebox';
import { LanguageName, Nullable } from './base.ts';

/** A piece of text with one format; a line break is a separate run. */
export const TextRun = Type.Object({
  /** The description, for a picture. */
  text: Type.String(),
  strong: Type.Optional(Type.Literal(true)),
  emphasis: Type.Optional(Type.Literal(true)),
  code: Type.Optional(Type.Literal(true)),
  /** A link that shared/site-link.ts allows. */
  href: Type.Optional(Type.String()),
  /** Address of a picture that may be shown, and its size in pixels if known. */
  src: Type.Optional(Type.String()),
  width: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
});
export type TextRun = Static<typeof TextRun>;

/** An item of a list; nesting is limited to one level. */
export const TextItem = Type.Object({ depth: Type.Integer(), runs: Type.Array(TextRun) });
export type TextItem = Static<typeof TextItem>;

/** A cell of a table: a line of text, possibly empty. */
const TextCell = Type.Array(TextRun);

/** Parsed Markdown: blocks of text, never HTML. */
export const TextBlock = Type.Union([
  Type.Object({
    kind: Type.Literal('heading'),
    level: Type.Union([Type.Literal(2), Type.Literal(3), Type.Literal(4)]),
    id: Type.String(),
    runs: Type.Array(TextRun),
  }),
  Type.Object({ kind: Type.Literal('paragraph'), runs: Type.Array(TextRun) }),
  Type.Object({ kind: Type.Literal('list'), ordered: Type.Boolean(), items: Type.Array(TextItem) }),
  Type.Object({
    kind: Type.Literal('table'),
    /** Alignment of each column; null for the direction of the language. */
    align: Type.Array(
      Nullable(Type.Union([Type.Literal('left'), Type.Literal('center'), Type.Literal('right')])),
    ),
    head: Type.Array(TextCell),
    /** At most as many cells as the head; missing ones at the end are empty. */
    rows: Type.Array(Type.Array(TextCell)),
  }),
  Type.Object({ kind: Type.Literal('quote'), runs: Type.Array(TextRun) }),
  Type.Object({ kind: Type.Literal('code'), text: Type.String() }),
  Type.Object({ kind: Type.Literal('rule') }),
]);
export type TextBlock = Static<typeof TextBlock>;

/** The text of the protocol page in one language. */
export const Protocol = Type.Object({
  /** Its language, if it is missing in the requested one. */
  lang: LanguageName,
  /** Its first heading; null if it does not start with one. */
  title: Nullable(Type.String()),
  blocks: Type.Array(TextBlock),
});
export type Protocol = Static<typeof Protocol>;
