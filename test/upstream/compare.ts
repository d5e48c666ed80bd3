import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import { isFields, isOfLists, isSuccess, type Shape, tolerant } from '../../shared/tolerant.ts';

/** A defect of an answer. `required`: the call or entry is unusable with it. */
export type Lack = {
  kind: 'missing call' | 'no answer' | 'wrong status' | 'wrong code' | 'missing field' | 'wrong type';
  required: boolean;
  /** Path in `data`, with `[]` for entries of a list; empty for the call itself. */
  place: string;
  text: string;
};

export type Received = { status: number; text: string };

/** Defects of an answer. @param isNamed whether a service must have the call */
export function lacksOf(route: Route, received: Received, { isNamed }: { isNamed: boolean }): Lack[] {
  const { status, text } = received;
  if (status === 404 || status === 405 || status === 501)
    return [lack('missing call', isNamed, '', `answers ${status}`)];
  if (status !== 200) return [lack('wrong status', true, '', `answers ${status} instead of 200`)];
  const body = parsed(text);
  if (!isFields(body)) return [lack('no answer', true, '', 'the body is no JSON object')];
  if (!isSuccess(body.code, route.successCode)) {
    const wanted = route.successCode ?? '0 or 200';
    return [lack('wrong code', true, 'code', `is ${describe(body.code)} instead of ${wanted}`)];
  }
  if (!route.data) return [];
  const isChange = route.method !== 'GET';
  const { data } = body;
  if (data === undefined || data === null)
    return [lack('missing field', !isChange, 'data', isChange ? 'is empty' : 'is missing')];
  const shape = shapeOf(route.data);
  const found = unique(inData(shape, data));
  // A change has succeeded, whatever its data.
  return isChange ? found.map((one) => ({ ...one, required: false })) : found;
}

function inData(shape: Shape, data: unknown): Lack[] {
  if (shape.as !== 'fields' || isFields(data)) return compare(shape, data, '', { isTop: true });
  const lists = Object.entries(shape.of).filter(([, { as }]) => as === 'list');
  const [only] = lists;
  if (!Array.isArray(data) || lists.length !== 1 || !only) return compare(shape, data, '', { isTop: true });
  const [name, list] = only;
  return [
    lack('wrong type', false, '', `is the list itself; ${name} is expected`),
    ...compare(list, data, name, { isTop: true }),
  ];
}

/**
 * @param isTop whether this is the answer itself, where a missing list leaves nothing to show
 * @param isLoose whether the surrounding field is optional
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
  const text = `is ${describe(value)} instead of ${wordFor(shape)}`;
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
        return [lack('missing field', false, join(place, name), 'is missing; its fields are beside it')];
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

/** Name of a shape in sentences; fixed values are listed. */
export function wordFor(shape: Shape): string {
  if (shape.as === 'one') return shape.of.map((value) => JSON.stringify(value)).join(' or ');
  if (shape.needed && shape.as === 'text') return 'a text that is not empty';
  return WORDS[shape.as];
}

function lack(kind: Lack['kind'], required: boolean, place: string, text: string): Lack {
  return { kind, required, place, text };
}

/** Reports a defect of several list entries once. */
function unique(lacks: readonly Lack[]): Lack[] {
  const first = new Map<string, Lack>();
  for (const one of lacks) {
    const key = `${one.kind} ${one.required} ${one.place}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

function describe(value: unknown): string {
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
