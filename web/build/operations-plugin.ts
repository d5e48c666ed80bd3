import type { Plugin } from 'vite';
import type { Contract } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import type { WireOperation } from '../api/wire-operation.ts';

const RESOLVED = '\0virtual:operations';

/** What the browser needs to know of an operation: no schema, so no TypeBox. */
export function wireOperation(route: Route): WireOperation {
  return {
    method: route.method,
    path: route.path,
    in: route.multipart ? 'multipart' : route.body ? 'body' : 'query',
    open: route.access === 'all',
    params: Object.keys(route.params?.properties ?? {}),
    paged: Object.hasOwn(route.query?.properties ?? {}, 'cursor'),
    ...(route.successCode !== undefined && { successCode: route.successCode }),
  };
}

/** The whole table, operation by operation. */
export function operationTable(contract: Contract): Record<string, WireOperation> {
  const routes: [string, Route][] = Object.entries(contract);
  return Object.fromEntries(routes.map(([operation, route]) => [operation, wireOperation(route)]));
}

/** Serves `virtual:operations`: the contract evaluated at build time and cut down to its addresses. */
export function operationsPlugin(): Plugin {
  return {
    name: 'operations',
    resolveId: { filter: { id: /^virtual:operations$/ }, handler: () => RESOLVED },
    load: {
      filter: { id: /^\0virtual:operations$/ },
      async handler() {
        const { contract } = await import('../../shared/contract.ts');
        return `export const operations = ${JSON.stringify(operationTable(contract))};`;
      },
    },
  };
}
