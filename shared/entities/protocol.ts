import { type Static, Type } from 'typebox';
import { LanguageName, Nullable } from './base.ts';

/** A piece of text in one dress; a line break is a run of its own. */
export const TextRun = Type.Object({
  text: Type.String(),
  strong: Type.Optional(Type.Literal(true)),
  emphasis: Type.Optional(Type.Literal(true)),
  /** A link that leads where shared/site-link.ts allows. */
  href: Type.Optional(Type.String()),
});
export type TextRun = Static<typeof TextRun>;

/** An entry of a list; what is nested deeper than one step stands at that step. */
export const TextItem = Type.Object({ depth: Type.Integer(), runs: Type.Array(TextRun) });
export type TextItem = Static<typeof TextItem>;

export const TextBlock = Type.Union([
  Type.Object({
    kind: Type.Literal('heading'),
    level: Type.Union([Type.Literal(2), Type.Literal(3), Type.Literal(4)]),
    id: Type.String(),
    runs: Type.Array(TextRun),
  }),
  Type.Object({ kind: Type.Literal('paragraph'), runs: Type.Array(TextRun) }),
  Type.Object({ kind: Type.Literal('list'), ordered: Type.Boolean(), items: Type.Array(TextItem) }),
  Type.Object({ kind: Type.Literal('rule') }),
]);
export type TextBlock = Static<typeof TextBlock>;

/** The text of the protocol page in one language. */
export const Protocol = Type.Object({
  /** The language it is written in, where it is not there in the one asked for. */
  lang: LanguageName,
  /** Its first heading; null when it begins without one. */
  title: Nullable(Type.String()),
  blocks: Type.Array(TextBlock),
});
export type Protocol = Static<typeof Protocol>;
