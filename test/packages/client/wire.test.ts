import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import {
  CatalogueChange,
  CatalogueChanges,
  InstalledItem,
  InstalledState,
} from '../../../shared/entities/client.ts';

/**
 * What the package for design tools knows of the contract, as types that need no other package. They are written from the
 * contract: `CLIENT_WIRE=write node test/packages/client/wire.test.ts`.
 */
const FILE = new URL('../../../packages/client/src/wire.ts', import.meta.url);

const NAMED: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [InstalledItem, 'InstalledItem'],
  [InstalledState, 'InstalledState'],
  [CatalogueChange, 'CatalogueChange'],
  [CatalogueChanges, 'CatalogueChanges'],
]);

type Schema = {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
};

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(schema: Schema): string {
  return NAMED.get(schema) ?? structureOf(schema);
}

function structureOf({
  type,
  const: only,
  enum: values,
  anyOf,
  items,
  properties,
  required,
}: Schema): string {
  if (only !== undefined) return literal(only);
  if (values) return values.map(literal).join(' | ');
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (items) return `Array<${typeOf(items)}>`;
  if (!properties) return PRIMITIVES[type ?? ''] ?? 'unknown';
  const lines = Object.entries(properties).map(
    ([name, one]) =>
      `${/^\w+$/.test(name) ? name : literal(name)}${required?.includes(name) ? '' : '?'}: ${typeOf(one)};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

const literal = (value: unknown): string => `'${String(value)}'`;

function written(): string {
  const types = [...NAMED].map(([schema, name]) => `export type ${name} = ${structureOf(Object(schema))};`);
  return [
    '/** Types of the Client API. Written from the contract by test/packages/client/wire.test.ts. */',
    ...types,
  ].join('\n\n');
}

/** Without what a formatter decides. */
const bare = (text: string): string => text.replaceAll(/[\s;]+/g, ' ').replaceAll(/ ?([{}|<>:=]) ?/g, '$1');

if (process.env.CLIENT_WIRE === 'write') writeFileSync(FILE, `${written()}\n`);

t.test('the types of the package are those of the contract', async (t) => {
  t.equal(bare(readFileSync(FILE, 'utf8')), bare(`${written()}\n`));
});
