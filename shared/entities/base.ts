import { type TSchema, Type } from 'typebox';
import { LANGUAGES } from '../languages.ts';

export const PluginKey = Type.String({ pattern: '^[A-Za-z0-9_-]{8,40}$' });
/** Number of a row. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Cursor = Type.String({ minLength: 1, maxLength: 200 });
export const Timestamp = Type.String({ format: 'date-time' });
export const LanguageName = Type.Enum(LANGUAGES);
/** Name of a stored picture, video or package; pictures have shorter ones since, and keep the long ones they have. */
export const FileKey = Type.String({ pattern: '^[0-9a-f]{32}(?:[0-9a-f]{32})?$' });
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
