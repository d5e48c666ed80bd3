import type { Plugin } from 'vite';
import type { Contract, Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { shapeOf } from '../../shared/shape.ts';
import type { WireOperation } from '../api/wire-operation.ts';

/** Module with what visitors' pages call; `virtual:all-operations` has everything. */
const FEW = 'virtual:operations';

/** What visitors' pages call. Whatever else is called has its address fetched first. */
export const VISITOR_OPERATIONS: readonly Operation[] = [
  'askPasswordReset',
  'beginBind',
  'beginSso',
  'bindThirdParty',
  'finishEnrolment',
  'finishPasswordReset',
  'installDefaults',
  'installPlugin',
  'listActiveSlots',
  'listBanners',
  'listFeaturedWorks',
  'listHelpArticles',
  'listHelpCategories',
  'listPlugins',
  'listRecommended',
  'listTags',
  'listVersions',
  'logout',
  'passSecondFactor',
  'praisePlugin',
  'readActivity',
  'readBind',
  'readContact',
  'readDeveloperDocs',
  'readHelpArticle',
  'readPlugin',
  'readProtocol',
  'readSession',
  'readSignInOptions',
  'recordView',
  'reportPlugin',
  'searchHelpArticles',
  'signIn',
  'signUp',
  'uninstallPlugin',
  'verifyUser',
];

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
    ...(route.data && { data: shapeOf(route.data) }),
  };
}

/** The whole table, operation by operation. */
export function operationTable(contract: Contract): Record<string, WireOperation> {
  const routes: [string, Route][] = Object.entries(contract);
  return Object.fromEntries(routes.map(([operation, route]) => [operation, wireOperation(route)]));
}

function tableOf(contract: Contract, isWanted: (operation: string) => boolean): string {
  const wanted = Object.entries(operationTable(contract)).filter(([operation]) => isWanted(operation));
  return JSON.stringify(Object.fromEntries(wanted));
}

/** Serves the contract, evaluated at build time and cut down to its addresses, in two modules. */
export function operationsPlugin(): Plugin {
  const visitors = new Set<string>(VISITOR_OPERATIONS);
  return {
    name: 'operations',
    resolveId: { filter: { id: /^virtual:(?:all-)?operations$/ }, handler: (source) => `\0${source}` },
    load: {
      filter: { id: /^\0virtual:(?:all-)?operations$/ },
      async handler(id) {
        const { contract } = await import('../../shared/contract.ts');
        if (id === `\0${FEW}`)
          return `export const operations = ${tableOf(contract, (name) => visitors.has(name))};`;
        const others = tableOf(contract, (name) => !visitors.has(name));
        return `import { operations as few } from '${FEW}'; export const operations = { ...few, ...${others} };`;
      },
    },
  };
}
