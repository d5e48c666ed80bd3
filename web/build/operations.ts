import type { Plugin } from 'vite';
import type { Contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import type { Shape } from '../../shared/tolerant.ts';
import { wireOperation } from '../api/wire-operation.ts';

/** URLs of all operations, and the shapes of their responses; files have none. */
export function operationTables(contract: Contract) {
  const routes: [string, Route][] = Object.entries(contract);
  const shaped = routes.flatMap(([operation, { data }]): [string, Shape][] =>
    data ? [[operation, shapeOf(data)]] : [],
  );
  return {
    operations: Object.fromEntries(routes.map(([operation, route]) => [operation, wireOperation(route)])),
    shapes: Object.fromEntries(shaped),
  };
}

/** Provides the contract, evaluated at build time, as `virtual:operations` and the larger `virtual:shapes`. */
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
