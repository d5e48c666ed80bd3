import { type TSchema, Type } from 'typebox';
import { LANGUAGES } from '../languages.ts';
import type { Tolerance } from '../shape.ts';

/** Options of what nothing can stand in for where a foreign service leaves it out (shared/shape.ts). */
export const NEEDED = { 'x-needed': true } as const satisfies Tolerance;
/** The same of what the field of this name can stand in for. */
export const insteadFrom = (name: string) => ({ 'x-from': name }) satisfies Tolerance;
/** The same of what the fields beside it stand in for, as services answer that nest nothing. */
export const INSTEAD_FROM_BESIDE = { 'x-from': '' } as const satisfies Tolerance;
/** The same of what this value can stand in for, where the empty one of its type would be untrue. */
export const otherwise = (value: string | number) => ({ 'x-otherwise': value }) satisfies Tolerance;

const KEY = '^[A-Za-z0-9_-]{8,40}$';
export const PluginKey = Type.String({ pattern: KEY, ...NEEDED });
/** The same where something else tells what it is about: empty where a foreign service leaves it out. */
export const PluginKeyIfTold = Type.String({ pattern: KEY });
/** Number of a row. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...NEEDED });
export const Cursor = Type.String({ minLength: 1, maxLength: 200, ...NEEDED });
export const Timestamp = Type.String({ format: 'date-time' });
export const LanguageName = Type.Enum(LANGUAGES);
/** Name of a stored picture, video or package; pictures have shorter ones since, and keep the long ones they have. */
export const FileKey = Type.String({ pattern: '^[0-9a-f]{32}(?:[0-9a-f]{32})?$', ...NEEDED });
export const Nothing = Type.Object({});
/** Length of a list; estimated, it is a lower bound ("10,000+"). */
export const Total = { total: Type.Integer(), total_estimated: Type.Boolean() };

export function Nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** A text per language, as publishers write it. */
export function TextsSchema(maxLength: number) {
  return Type.Partial(
    Type.Object({
      'zh-CN': Type.String({ maxLength }),
      'en-US': Type.String({ maxLength }),
      'ja-JP': Type.String({ maxLength }),
      'ko-KR': Type.String({ maxLength }),
      'ru-RU': Type.String({ maxLength }),
      'es-ES': Type.String({ maxLength }),
    }),
  );
}
