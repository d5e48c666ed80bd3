import { FILTER_NAMES, type FilterName, REACHES, UPDATED_WITHIN } from '../../../../shared/constants.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { pluginRoutes } from '../../../../shared/routes/plugin.ts';
import { propertyLexeme, propertyOf, tagLexeme } from './lexemes.ts';
import { dayOf, EVERY_EDITOR, monthOf, UPDATE_MONTH } from './properties.ts';
import { type KeywordQuery, quoteLexeme, withTag } from './query.ts';

/** Filters as the address of a list has them. */
export type ListFilters = Pick<QueryOf<(typeof pluginRoutes)['listPlugins']>, FilterName>;

const DAY = 86_400_000;
/** Days of each span, besides today. */
const SPANS: Readonly<Record<string, number>> = { week: 7, month: 31, year: 365 };

type Filter = {
  /** The query of a value. @param today milliseconds since 1970 */
  query(value: string, today: number): string;
  /** The values of this filter that find a plugin with a property. */
  valuesOf(property: string, today: number): readonly string[];
  /** Values that are told in this order, also those that find nothing. */
  order?: readonly string[];
};

/** The lexeme of a property. */
const has = (property: string) => quoteLexeme(propertyLexeme(property));

/** A filter whose values are properties as they are. */
function byProperty(name: FilterName): Pick<Filter, 'query' | 'valuesOf'> {
  const start = `${name}:`;
  return {
    query: (value) => has(start + value),
    valuesOf: (property) => (property.startsWith(start) ? [property.slice(start.length)] : []),
  };
}

/** How lists are filtered. A new filter is a row here, a parameter of the route, and a property of plugins (properties.ts). */
const FILTERS: Readonly<Record<FilterName, Filter>> = {
  tags: {
    query: (ids) =>
      ids
        .split(',')
        .map((id) => quoteLexeme(tagLexeme(Number(id))))
        .join(' & '),
    valuesOf: (property) => (/^\d+$/.test(property) ? [property] : []),
  },
  reach: { ...byProperty('reach'), order: REACHES },
  warnings: { ...byProperty('warnings'), order: ['none'] },
  verified: { ...byProperty('verified'), order: ['publisher'] },
  editor: {
    ...byProperty('editor'),
    query: (editor) => `(${has(`editor:${editor}`)} | ${has(`editor:${EVERY_EDITOR}`)})`,
  },
  lang: byProperty('lang'),
  updated: {
    query: (span, today) => `(${updatesSince(firstDay(span, today), dayOf(today)).map(has).join(' | ')})`,
    valuesOf: (property, today) => {
      const [day] = byProperty('updated').valuesOf(property, today);
      return day === undefined ? [] : UPDATED_WITHIN.filter((span) => day >= firstDay(span, today));
    },
    order: UPDATED_WITHIN,
  },
};

function firstDay(span: string, today: number): string {
  return dayOf(today - (SPANS[span] ?? 0) * DAY);
}

/**
 * The properties of plugins updated in a span of days until today: its months, and the days of the first one where that isn't
 * whole; this month has no later days yet. As beginnings of dates a year takes twice as long at a million plugins, and as
 * all its days still longer (docs/decisions.md, 327).
 */
function updatesSince(first: string, last: string): string[] {
  const properties: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); ) {
    const day = dayOf(at);
    const isWhole = day.endsWith('-01');
    properties.push(isWhole ? `${UPDATE_MONTH}${monthOf(day)}` : `updated:${day}`);
    at = isWhole ? Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7))) : at + DAY;
  }
  return properties;
}

/** The filters that are set, in one order. */
export function activeFilters(filters: ListFilters): FilterName[] {
  return FILTER_NAMES.filter((name) => filters[name] !== undefined);
}

/** The queries of filters, which plugins must match all. @param today milliseconds since 1970 */
export function queriesOf(filters: ListFilters, today: number): string[] {
  return FILTER_NAMES.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : FILTERS[name].query(value, today);
  });
}

/**
 * A query restricted by those of filters.
 * @param query undefined for a list without a keyword
 */
export function filtered(
  query: KeywordQuery | undefined,
  filters: readonly string[],
  tagId: number,
): KeywordQuery {
  const all = filters.join(' & ');
  if (!query) {
    return { exact: '', prefix: '', words: withTag(all, tagId), parts: [...filters], isMarked: false };
  }
  if (filters.length === 0) return query;
  const restrict = (words: string) => `(${words}) & ${all}`;
  return {
    ...query,
    exact: restrict(query.exact),
    prefix: restrict(query.prefix),
    words: restrict(query.words),
    parts: [...query.parts, ...filters],
  };
}

/** Plugins with each property, by its lexeme. */
export type PropertyCounts = ReadonlyMap<string, number>;

/** How many plugins each value of a filter finds: in the filter's order, else the most frequent first. */
export function countValues(
  name: FilterName,
  counts: PropertyCounts,
  today: number,
): { value: string; count: number }[] {
  const { valuesOf, order } = FILTERS[name];
  const found = new Map<string, number>(order?.map((value) => [value, 0]));
  for (const [lexeme, count] of counts) {
    for (const value of valuesOf(propertyOf(lexeme), today))
      found.set(value, (found.get(value) ?? 0) + count);
  }
  const everywhere = name === 'editor' ? (found.get(EVERY_EDITOR) ?? 0) : 0;
  found.delete(EVERY_EDITOR);
  const values = [...found].map(([value, count]) => ({ value, count: count + everywhere }));
  return order ? values : values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
