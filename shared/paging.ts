import { Type } from 'typebox';
import { PAGE_SIZE_MAX, TEXT_LIMITS, TOTAL_EXACT_UP_TO } from './constants.ts';
import { Cursor } from './entities/base.ts';

/** Query of all paginated lists. */
export const paging = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
};

/** Query of the administrators' lists of plugins. */
export const managedFilters = {
  /** 0 all, 1 unaudited, 2 passed, 3 not passed (R 7.1). */
  audit_status: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  tag_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
  /** Publisher's name, or a part of it. */
  publisher: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.keyword })),
  keyword: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.keyword })),
  ...paging,
};

/** The shown length of a list, from a count that stops one above the exact limit. */
export function cappedTotal(counted: number): { total: number; total_estimated: boolean } {
  return { total: Math.min(counted, TOTAL_EXACT_UP_TO), total_estimated: counted > TOTAL_EXACT_UP_TO };
}
