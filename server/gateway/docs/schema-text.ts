type Schema = Readonly<Record<string, unknown>>;

const STEP = '  ';
const LIMITS: readonly (readonly [keyword: string, written: (value: unknown) => string])[] = [
  ['format', (value) => String(value)],
  ['minLength', (value) => `≥ ${value} characters`],
  ['maxLength', (value) => `≤ ${value} characters`],
  ['minimum', (value) => `≥ ${value}`],
  ['maximum', (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `≤ ${value}`)],
  ['maxItems', (value) => `≤ ${value} items`],
  ['pattern', (value) => `/${value}/`],
  ['default', (value) => `default ${JSON.stringify(value)}`],
];

/** A JSON Schema as people read it: a type written out, a line for each field, limits behind it. */
export function schemaText(schema: unknown, indent = ''): string {
  if (!isSchema(schema)) return 'anything';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => schemaText(one, indent)).join(' | ');
  if (schema.type === 'array') return `${listed(schemaText(schema.items, indent))}${limitsOf(schema)}`;
  if (isSchema(schema.properties)) return fields(schema, schema.properties, indent);
  if (schema.type === 'object') return '{ any fields }';
  if (typeof schema.type !== 'string') return 'anything';
  return `${schema.type}${limitsOf(schema)}`;
}

function listed(item: string): string {
  return /^[\w"]+$/.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`;
}

function fields(schema: Schema, properties: Schema, indent: string): string {
  const names = Object.keys(properties);
  if (names.length === 0) return '{}';
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const inner = indent + STEP;
  const lines = names.map(
    (name) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaText(properties[name], inner)}`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function limitsOf(schema: Schema): string {
  const limits = LIMITS.flatMap(([keyword, written]) =>
    keyword in schema ? [written(schema[keyword])] : [],
  ).filter((limit) => limit !== '');
  return limits.length > 0 ? ` (${limits.join(', ')})` : '';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
