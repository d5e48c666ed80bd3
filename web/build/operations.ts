import type { Plugin } from 'vite';
import type { Contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import type { Shape } from '../../shared/tolerant.ts';
import type { WireOperation } from '../api/wire-operation.ts';

/** What the browser needs to know of an operation: no schema, so no TypeBox. */
export function wireOperation(route: Route): WireOperation {
  return {
    method: route.method,
    path: route.path,
    in: route.multipart ? 'multipart' : route.body ? 'body' : 'query',
    open: route.access === 'all',
    params: Object.keys(route.params?.properties ?? {}),
    ...(route.successCode !== undefined && { successCode: route.successCode }),
  };
}

type Table<Entry> = Readonly<Record<string, Entry>>;

/** Addresses of all operations, and the shapes by which their answers are read; files have none. */
export function operationTables(contract: Contract): {
  operations: Table<WireOperation>;
  shapes: Table<Shape>;
} {
  const routes: [string, Route][] = Object.entries(contract);
  return {
    operations: Object.fromEntries(routes.map(([operation, route]) => [operation, wireOperation(route)])),
    shapes: Object.fromEntries(
      routes.flatMap(([operation, { data }]) => (data ? [[operation, shapeOf(data)]] : [])),
    ),
  };
}

/** Serves the contract, evaluated at build time, as `virtual:operations` and the larger `virtual:shapes`. */
export function operations(): Plugin {
  return {
    name: 'operations',
    resolveId: { filter: { id: /^virtual:(?:operations|shapes)$/ }, handler: (source) => `\0${source}` },
    load: {
      filter: { id: /^\0virtual:(?:operations|shapes)$/ },
      async handler(id) {
        const { contract } = await import('../../shared/contract.ts');
        const { operations, shapes } = operationTables(contract);
        return id.endsWith('shapes')
          ? `export const shapes = JSON.parse(${JSON.stringify(JSON.stringify(shapes))});`
          : `export const operations = ${JSON.stringify(operations)};`;
      },
    },
  };
}
