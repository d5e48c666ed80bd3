import { type TSchema, Type } from 'typebox';
import { LANGUAGES } from '../languages.ts';
import type { Tolerance } from '../shape.ts';

/** Schema options of a field without a default, if an external service leaves it out (shared/shape.ts). */
export const REQUIRED = { 'x-needed': true } as const satisfies Tolerance;
/** The same for a field that another one can replace. */
export const fallbackField = (name: string) => ({ 'x-from': name }) satisfies Tolerance;
/** The same for an object whose fields some services do not nest. */
export const FALLBACK_BESIDE = { 'x-from': '' } as const satisfies Tolerance;
/** The same for a field with this default, because the empty value of its type would be wrong. */
export const withDefault = (value: string | number) => ({ 'x-otherwise': value }) satisfies Tolerance;

const KEY = '^[A-Za-z0-9_-]{8,40}$';
export const PluginKey = Type.String({ pattern: KEY, ...REQUIRED });
/** The same as an optional field: empty if an external service leaves it out. */
export const PluginKeyIfPresent = Type.String({ pattern: KEY });
/** Id of a row. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...REQUIRED });
export const Cursor = Type.String({ minLength: 1, maxLength: 200, ...REQUIRED });
export const Timestamp = Type.String({ format: 'date-time' });
export const LanguageName = Type.Enum(LANGUAGES);
/** Key of a stored picture, video or package; newer pictures have shorter keys. */
export const FileKey = Type.String({ pattern: '^[0-9a-f]{32}(?:[0-9a-f]{32})?$', ...REQUIRED });
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
