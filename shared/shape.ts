import type { TSchema } from 'typebox';
import { LANGUAGES } from './languages.ts';
import type { Shape } from './tolerant.ts';

/**
 * What a schema says, beside its type, of a value that a foreign service leaves out or writes otherwise. Our own services
 * are held to the schema itself.
 */
export type Tolerance = {
  /** What holds it cannot be used without. */
  'x-needed'?: true;
  /** Of an object: fields that are missing are left out. */
  'x-partial'?: true;
  /** What the field of this name holds stands in; of a list, its length. Without a name, all that stands beside it. */
  'x-from'?: string;
  /** This stands in. */
  'x-otherwise'?: unknown;
};

/** What of JSON Schema the contract's schemas are made of. */
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
 * The shape by which answers of a call are read, from the schema of its data.
 * @throws Error for a schema that no answer has had so far
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

/** Alternatives: null beside something else, values, objects that a literal tells apart, or whatever is no object. */
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
