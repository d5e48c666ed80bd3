import type { TSchema } from 'typebox';
import { LANGUAGES } from './languages.ts';
import type { Shape } from './tolerant.ts';

/**
 * Schema options for values that an external service leaves out or writes differently. Our own services must follow the
 * schema itself.
 */
export type Tolerance = {
  /** The parent is invalid without it. */
  'x-needed'?: true;
  /** In an object: missing fields are left out. */
  'x-partial'?: true;
  /** Name of the field that replaces it, or whose length does for a list. Without a name, all fields beside it. */
  'x-from'?: string;
  /** The default value. */
  'x-otherwise'?: unknown;
};

/** The subset of JSON Schema that the contract uses. */
type Schema = Tolerance & {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
};

const PLAIN = { string: 'text', number: 'number', integer: 'integer', boolean: 'flag' } as const;

/**
 * Converts the schema of a call's data to the shape for reading responses.
 * @throws Error for unsupported keywords
 */
export function shapeOf(schema: TSchema): Shape {
  return shapeOfSchema(schema);
}

function shapeOfSchema(schema: Schema): Shape {
  const rule = {
    ...(schema['x-needed'] && { needed: true as const }),
    ...(schema['x-from'] !== undefined && { from: schema['x-from'] }),
    ...(schema['x-otherwise'] !== undefined && { otherwise: schema['x-otherwise'] }),
  };
  return { ...typeOf(schema), ...rule };
}

function typeOf(schema: Schema): Shape {
  const { type, anyOf, items, patternProperties } = schema;
  if (anyOf) return oneOf(anyOf);
  if (schema.const !== undefined) return { as: 'one', of: [schema.const], needed: true };
  if (schema.enum) return isLanguages(schema.enum) ? { as: 'language' } : { as: 'one', of: schema.enum };
  if (type === undefined) return { as: 'any' };
  if (type === 'string' && schema.format === 'date-time') return { as: 'time' };
  if (type === 'array' && items) return { as: 'list', of: shapeOfSchema(items) };
  const [values] = Object.values(patternProperties ?? {});
  if (values) return { as: 'map', of: shapeOfSchema(values) };
  if (type === 'object') return { as: 'fields', of: fieldsOf(schema) };
  const plain = Object.entries(PLAIN).find(([name]) => name === type)?.[1];
  if (!plain) throw new Error(`No shape is known for ${JSON.stringify(schema)}.`);
  return { as: plain };
}

function fieldsOf({ properties = {}, required = [], 'x-partial': isPartial }: Schema): Record<string, Shape> {
  const shapes = Object.entries(properties).map(([name, schema]): [string, Shape] => {
    const isOptional = isPartial || !required.includes(name);
    return [name, { ...shapeOfSchema(schema), ...(isOptional && { optional: true }) }];
  });
  return Object.fromEntries(shapes);
}

/** Unions: null or another type, literals, objects with a discriminator, or anything except objects. */
function oneOf(options: readonly Schema[]): Shape {
  const others = options.filter(({ type }) => type !== 'null');
  const nullable = others.length < options.length && { nullable: true as const };
  const [first] = others;
  if (first && others.length === 1) return { ...shapeOfSchema(first), ...nullable };
  if (others.every((option) => option.const !== undefined))
    return { as: 'one', of: others.map((option) => option.const), ...nullable };
  if (others.every(({ type }) => type === 'object'))
    return { as: 'either', of: others.map(shapeOfSchema), ...nullable };
  return { as: 'plain', ...nullable };
}

function isLanguages(values: readonly unknown[]): boolean {
  return values.length === LANGUAGES.length && LANGUAGES.every((language) => values.includes(language));
}
