import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { PoolClient } from 'pg';
import { type Static, Type } from 'typebox';
import { Check, Decode } from 'typebox/value';
import type { Pool } from '../../server/database/pool.ts';

/** The executed plan of a statement. */
export type Plan = {
  statement: string;
  /** The plan tree, one step per line, for messages. */
  text: string;
  indexes: string[];
  /** Sequentially scanned tables, and the number of their rows. */
  scanned: { table: string; rows: number }[];
  /** Rows of the largest sort. */
  sorted: number;
  /** Accessed blocks of 8 KiB, cached or not: a measure of the work that does not depend on the machine. */
  blocks: number;
};

/** Tables that grow with the catalogue or its use; lists must not scan them completely. */
export const GROWING = new Set([
  'account',
  'active_person',
  'audit_trail',
  'collection',
  'collection_plugin',
  'collection_report',
  'day_figure',
  'follow',
  'found_keyword',
  'install_cohort',
  'japanese_name',
  'managed_plugin',
  'member_change',
  'part_figure',
  'person',
  'picture',
  'plugin',
  'plugin_counter',
  'plugin_install',
  'plugin_like',
  'plugin_listing',
  'plugin_search',
  'plugin_tag',
  'plugin_text',
  'plugin_trend',
  'plugin_version',
  'publisher_domain',
  'publisher_search',
  'publisher_report',
  'plugin_view',
  'publication',
  'publish_token',
  'report',
  'resource_slot',
  'review',
  'search_lexeme',
  'search_word',
  'session',
  'stored_file',
  'submission',
  'submission_file',
  'submission_search',
  'verified_name',
  'waiting_search',
]);

/** Errors of a plan for a page of at most `page` rows: more rows of a growing table are scanned or sorted. */
export function flawsOf({ scanned, sorted }: Plan, page: number): string[] {
  const tables = scanned.filter(({ table, rows }) => GROWING.has(table) && rows > page);
  const flaws = tables.map(({ table, rows }) => `${rows} rows of ${table} are scanned`);
  return sorted > page ? [...flaws, `${sorted} rows are sorted`] : flaws;
}

/**
 * Watches the connections that a pool opens after this call.
 * @returns a function that returns the plans of all statements of some work, which are executed once more for it
 */
export function watchPlans(pool: Pool): (work: () => Promise<unknown>) => Promise<Plan[]> {
  let noted: Noted[] | undefined;
  pool.on('connect', (client) =>
    watch(client, (statement) => {
      if (isPlanned(statement.text)) noted?.push(statement);
    }),
  );
  return async (work) => {
    const statements: Noted[] = [];
    noted = statements;
    await work();
    noted = undefined;
    const plans: Plan[] = [];
    for (const statement of statements) plans.push(await explain(pool, statement));
    return plans;
  };
}

/**
 * Watches the connections that a service's pool hands out after this call.
 * @returns a function that returns the statements of the requests of some work, with those of transactions and locks, and
 * without those of the service's work in the background
 */
export function watchStatements({
  app,
  pool,
}: {
  app: { server: Server };
  pool: Pool;
}): (work: () => Promise<unknown>) => Promise<string[]> {
  const requests = new AsyncLocalStorage<true>();
  app.server.prependListener('request', () => requests.enterWith(true));
  let noted: string[] | undefined;
  const watched = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    watch(client, ({ text }) => {
      if (requests.getStore()) noted?.push(text);
    });
  });
  return async (work) => {
    const statements: string[] = [];
    noted = statements;
    await work();
    noted = undefined;
    return statements;
  };
}

/** @returns how many statements with a text count rows, and how many of them run while a table is locked */
export function countsOf(statements: readonly string[], part: string): { all: number; locked: number } {
  const counts = { all: 0, locked: 0 };
  let isLocked = false;
  for (const text of statements) {
    if (/^\s*lock table/i.test(text)) isLocked = true;
    if (/^\s*(commit|rollback)/i.test(text)) isLocked = false;
    if (!text.includes(part) || !text.includes('count(')) continue;
    counts.all += 1;
    if (isLocked) counts.locked += 1;
  }
  return counts;
}

type Noted = { text: string; values: unknown[] };

function watch(client: PoolClient, note: (statement: Noted) => void): void {
  const query = client.query;
  Object.assign(client, {
    query: (...given: unknown[]) => {
      const [asked, others] = given;
      const { text, values = [] } = Check(Config, asked) ? asked : { text: asked, values: others };
      if (typeof text === 'string' && Array.isArray(values)) note({ text, values });
      return Reflect.apply(query, client, given);
    },
  });
}

function isPlanned(text: string): boolean {
  return /^\s*(\/\*.*?\*\/)?\s*(select|with|insert|update|delete)\b/i.test(text);
}

/** A prepared statement for pg. */
const Config = Type.Object({ text: Type.String(), values: Type.Optional(Type.Array(Type.Unknown())) });

const Node = Type.Cyclic(
  {
    Node: Type.Object({
      'Node Type': Type.String(),
      'Relation Name': Type.Optional(Type.String()),
      'Index Name': Type.Optional(Type.String()),
      'Actual Rows': Type.Number(),
      'Actual Loops': Type.Number(),
      'Shared Hit Blocks': Type.Number(),
      'Shared Read Blocks': Type.Number(),
      'Rows Removed by Filter': Type.Optional(Type.Number()),
      'Parent Relationship': Type.Optional(Type.String()),
      Plans: Type.Optional(Type.Array(Type.Ref('Node'))),
    }),
  },
  'Node',
);
type Node = Static<typeof Node>;

async function explain(pool: Pool, { text, values }: Noted): Promise<Plan> {
  const { rows } = await pool.query(
    `explain (analyze, buffers, costs off, timing off, format json) ${text}`,
    values,
  );
  const root = Decode(Node, rows[0]?.['QUERY PLAN'][0].Plan);
  const nodes = [...nodesOf(root, 0)];
  return {
    statement: text,
    text: nodes.map(([node, depth]) => `${'  '.repeat(depth)}${describe(node)}`).join('\n'),
    indexes: nodes.flatMap(([node]) => node['Index Name'] ?? []),
    scanned: nodes.flatMap(([node]) => scannedBy(node)),
    sorted: Math.max(0, ...nodes.map(([node]) => sortedBy(node))),
    blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
  };
}

function* nodesOf(node: Node, depth: number): Generator<[Node, number]> {
  yield [node, depth];
  for (const below of node.Plans ?? []) yield* nodesOf(below, depth + 1);
}

/** PostgreSQL reports the average rows per loop. */
function scannedBy(node: Node): Plan['scanned'] {
  const table = node['Relation Name'];
  if (node['Node Type'] !== 'Seq Scan' || table === undefined) return [];
  const passed = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return [{ table, rows: Math.ceil(passed * node['Actual Loops']) }];
}

function sortedBy(node: Node): number {
  if (!node['Node Type'].endsWith('Sort')) return 0;
  return node.Plans?.find((below) => below['Parent Relationship'] === 'Outer')?.['Actual Rows'] ?? 0;
}

function describe(node: Node): string {
  const on = [node['Relation Name'], node['Index Name']].filter((name) => name !== undefined).join(' by ');
  return `${node['Node Type']} ${on}, ${node['Actual Rows']} rows × ${node['Actual Loops']}`;
}
