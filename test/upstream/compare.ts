import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import { isFields, isOfLists, isSuccess, type Shape, tolerant } from '../../shared/tolerant.ts';

/** Something that an answer lacks. `required`: what it belongs to cannot be used without. */
export type Lack = {
  kind: 'missing call' | 'no answer' | 'wrong status' | 'wrong code' | 'missing field' | 'wrong type';
  required: boolean;
  /** Where in `data`, a list's entries as `[]`; empty for the call itself. */
  place: string;
  text: string;
};

export type Heard = { status: number; text: string };

/** What an answer to a call lacks; `isNamed`: a service cannot do without the call. */
export function lacksOf(route: Route, heard: Heard, { isNamed }: { isNamed: boolean }): Lack[] {
  const { status, text } = heard;
  if (status === 404 || status === 405 || status === 501)
    return [lack('missing call', isNamed, '', `answers ${status}`)];
  if (status !== 200) return [lack('wrong status', true, '', `answers ${status} in place of 200`)];
  const body = parsed(text);
  if (!isFields(body)) return [lack('no answer', true, '', 'the body is no JSON object')];
  if (!isSuccess(body.code, route.successCode)) {
    const wanted = route.successCode ?? '0 or 200';
    return [lack('wrong code', true, 'code', `is ${told(body.code)} in place of ${wanted}`)];
  }
  if (!route.data) return [];
  const isChange = route.method !== 'GET';
  const { data } = body;
  if (data === undefined || data === null)
    return [lack('missing field', !isChange, 'data', isChange ? 'nothing is told' : 'is missing')];
  const shape = shapeOf(route.data);
  const found = unique(inData(shape, data));
  // What a call has done is done, whatever it tells.
  return isChange ? found.map((one) => ({ ...one, required: false })) : found;
}

function inData(shape: Shape, data: unknown): Lack[] {
  if (shape.as !== 'fields' || isFields(data)) return compare(shape, data, '', { isTop: true });
  const lists = Object.entries(shape.of).filter(([, { as }]) => as === 'list');
  const [only] = lists;
  if (!Array.isArray(data) || lists.length !== 1 || !only) return compare(shape, data, '', { isTop: true });
  const [name, list] = only;
  return [
    lack('wrong type', false, '', `is the list itself; ${name} is looked for`),
    ...compare(list, data, name, { isTop: true }),
  ];
}

/**
 * `isTop`: of the answer itself, where a list that is missing leaves nothing to show. `isLoose`: what it belongs to can be
 * done without.
 */
function compare(
  shape: Shape,
  value: unknown,
  place: string,
  { isTop = false, isLoose = false } = {},
): Lack[] {
  const isRequired = !isLoose && (shape.needed === true || (isTop && shape.as === 'list'));
  if (value === undefined || value === null) {
    const isMeant = shape.optional || (value === null && shape.nullable);
    return isMeant
      ? []
      : [lack('missing field', isRequired, place, value === null ? 'is null' : 'is missing')];
  }
  if (isExactly(shape, value)) return within(shape, value, place, { isTop, isLoose });
  const isUsable = usable(shape, value);
  const text = `is ${told(value)} in place of ${wordFor(shape)}`;
  return [
    lack('wrong type', isRequired && !isUsable, place, isUsable ? `${text}, which is understood` : text),
  ];
}

function usable(shape: Shape, value: unknown): boolean {
  const found = tolerant({ as: 'list', of: shape }, [value], 'en-US');
  return Array.isArray(found) && found.length > 0;
}

function within(
  shape: Shape,
  value: unknown,
  place: string,
  at: { isTop: boolean; isLoose: boolean },
): Lack[] {
  const isLoose = at.isLoose || shape.nullable === true || shape.optional === true;
  if (shape.as === 'list' && Array.isArray(value)) {
    return value.flatMap((entry: unknown) =>
      compare(shape.of, entry, `${place}[]`, { isLoose: isLoose || !at.isTop }),
    );
  }
  if (shape.as === 'fields' && isFields(value)) {
    return Object.entries(shape.of).flatMap(([name, inner]) => {
      const isBeside = inner.from === '' && value[name] === undefined && usable(inner, value);
      if (isBeside)
        return [lack('missing field', false, join(place, name), 'is missing; its fields stand beside it')];
      const isTop = at.isTop && place === '' && isOfLists(shape.of);
      return compare(inner, value[name], join(place, name), { isTop, isLoose });
    });
  }
  return [];
}

const join = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

function isExactly(shape: Shape, value: unknown): boolean {
  switch (shape.as) {
    case 'fields':
    case 'map':
      return isFields(value);
    case 'list':
      return Array.isArray(value) && !(shape.needed && value.length === 0);
    case 'one':
      return shape.of.includes(value);
    case 'either':
      return shape.of.some((option) => usable(option, value));
    case 'integer':
      return Number.isInteger(value) && !(shape.needed && Number(value) < 1);
    case 'number':
      return typeof value === 'number';
    case 'flag':
      return typeof value === 'boolean';
    case 'any':
      return true;
    case 'plain':
      return typeof value !== 'object';
    case 'language':
      return usable(shape, value);
    default:
      return typeof value === 'string' && usable(shape, value);
  }
}

const WORDS: Readonly<Record<Shape['as'], string>> = {
  any: 'anything',
  plain: 'a text, number or flag',
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  flag: 'true or false',
  time: 'a moment (RFC 3339)',
  language: 'a language of the interface',
  one: 'one of its values',
  list: 'a list',
  map: 'an object',
  either: 'one of its forms',
  fields: 'an object',
};

/** How a shape is called in sentences; of fixed values, these. */
export function wordFor(shape: Shape): string {
  if (shape.as === 'one') return shape.of.map((value) => JSON.stringify(value)).join(' or ');
  if (shape.needed && shape.as === 'text') return 'a text that is not empty';
  return WORDS[shape.as];
}

function lack(kind: Lack['kind'], required: boolean, place: string, text: string): Lack {
  return { kind, required, place, text };
}

/** What the entries of a list lack alike is said once. */
function unique(lacks: readonly Lack[]): Lack[] {
  const first = new Map<string, Lack>();
  for (const one of lacks) {
    const key = `${one.kind} ${one.required} ${one.place}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

function told(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
