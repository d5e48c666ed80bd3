import { type Static, Type } from 'typebox';
import { LanguageName, Nullable } from './base.ts';
import { TextBlock } from './text-blocks.ts';

/** The text of the protocol page in one language. */
export const Protocol = Type.Object({
  /** The language it is written in, where it is not there in the one asked for. */
  lang: LanguageName,
  /** Its first heading; null when it begins without one. */
  title: Nullable(Type.String()),
  blocks: Type.Array(TextBlock),
});
export type Protocol = Static<typeof Protocol>;
