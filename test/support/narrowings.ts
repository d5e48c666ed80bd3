/** The parts of a JSON Schema that callers rely on. */
type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  pattern?: string;
  default?: unknown;
} & Partial<Record<Limit, number>>;

const UPPER = ['maxLength', 'maximum', 'maxItems'] as const;
const LOWER = ['minLength', 'minimum', 'minItems'] as const;
type Limit = (typeof UPPER)[number] | (typeof LOWER)[number];

/** A call as data: what a client sends, and what it gets. */
export type Described = {
  method: string;
  path: string;
  access: string;
  file?: boolean;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  data?: Schema;
};

/** Each includes the callers of those after it. */
const ACCESS = ['all', 'user', 'publisher', 'admin'];

/** What a client that was made for `before` can rely on no longer. */
export function narrowings(
  before: Readonly<Record<string, Described>>,
  after: Readonly<Record<string, Described>>,
): string[] {
  return Object.entries(before).flatMap(([name, old]) => {
    const now = after[name];
    if (!now) return [`${name}: taken away`];
    const moved = old.method !== now.method || old.path !== now.path || old.file !== now.file;
    const closed = ACCESS.indexOf(now.access) > ACCESS.indexOf(old.access);
    return [
      ...(moved ? [`${name}: another address`] : []),
      ...(closed ? [`${name}: fewer may call it`] : []),
      ...(['params', 'query', 'body'] as const).flatMap((part) =>
        // A part where there was none is an object of which nothing was known.
        sent(old[part] ?? (now[part] && { type: 'object' }), now[part], `${name} ${part}`),
      ),
      ...received(old.data, now.data, `${name} data`),
    ];
  });
}

/** What was accepted must be accepted. */
function sent(before: Schema = {}, after: Schema = {}, at: string): string[] {
  const limits = [
    ...UPPER.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
    ...LOWER.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
    ...(after.pattern !== undefined && after.pattern !== before.pattern ? ['pattern'] : []),
  ];
  const demanded = (after.required ?? []).filter(
    (name) => !before.required?.includes(name) && after.properties?.[name]?.default === undefined,
  );
  return [
    ...limits.map((name) => `${at}: smaller ${name}`),
    ...demanded.map((name) => `${at}/${name}: demanded`),
    ...alike(before, after, at, sent),
  ];
}

/** What was there must be there, and of the same kind. */
function received(before: Schema = {}, after: Schema = {}, at: string): string[] {
  const lost = (before.required ?? []).filter((name) => !after.required?.includes(name));
  const kinds = new Set(variantsOf(before).map(kindOf));
  const added = variantsOf(after).filter((one) => !kinds.has(kindOf(one)));
  return [
    ...lost.filter((name) => after.properties?.[name]).map((name) => `${at}/${name}: may be missing`),
    ...added.map((one) => `${at}: may be ${kindOf(one)}`),
    ...alike(before, after, at, received),
  ];
}

type Compare = (before: Schema | undefined, after: Schema | undefined, at: string) => string[];

function alike(before: Schema, after: Schema, at: string, compare: Compare): string[] {
  if (before.anyOf || after.anyOf) {
    return variantsOf(before).flatMap((old, index) => {
      const alikes = variantsOf(after)
        .filter((one) => kindOf(one) === kindOf(old) && (!('const' in old) || one.const === old.const))
        .map((one) => alike(old, one, `${at}|${index}`, compare));
      const missing = [`${at}: no ${JSON.stringify(old.const ?? kindOf(old))}`];
      return alikes.find((found) => found.length === 0) ?? alikes[0] ?? missing;
    });
  }
  const values = (before.enum ?? []).filter((value) => after.enum && !after.enum.includes(value));
  return [
    ...(before.type === after.type ? [] : [`${at}: ${after.type} instead of ${before.type}`]),
    ...('const' in before && before.const !== after.const ? [`${at}: another value`] : []),
    ...values.map((value) => `${at}: no ${JSON.stringify(value)}`),
    ...(before.items ? compare(before.items, after.items, `${at}/*`) : []),
    ...Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
      const now = after.properties?.[name];
      return now ? compare(old, now, `${at}/${name}`) : [`${at}/${name}: taken away`];
    }),
  ];
}

const variantsOf = (schema: Schema): Schema[] => schema.anyOf ?? [schema];

function kindOf({ type, const: value, enum: values }: Schema): string {
  if (type !== undefined) return type;
  const [first] = values ?? [value];
  return first === null ? 'null' : typeof first;
}
