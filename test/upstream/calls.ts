import { ACTIVITY_ID } from '../../shared/constants.ts';
import { type Contract, contract, type Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';

export type UpstreamCall = { operation: Operation; route: Route };

/** Calls that a service must have (R 14.7 to 14.37). All others are our own additions. */
const NAMED: ReadonlySet<string> = new Set<keyof Contract>([
  'addSlot',
  'decideAudit',
  'deleteBanner',
  'deletePlugin',
  'disableSlot',
  'downloadPlugin',
  'installDefaults',
  'installPlugin',
  'listAudits',
  'listBanners',
  'listOwnPlugins',
  'listPlugins',
  'listQrCodes',
  'listRecommended',
  'listSlots',
  'listTags',
  'praisePlugin',
  'publishPlugin',
  'readActivity',
  'readIconFont',
  'readPlugin',
  'readStockPhoto',
  'recommendPlugin',
  'recordView',
  'saveBanner',
  'saveIconFont',
  'saveStockPhoto',
  'setSilentInstall',
  'uninstallPlugin',
  'updatePlugin',
  'uploadBatch',
  'verifyUser',
]);

/** Our own additions that public pages read. */
const READ: ReadonlySet<string> = new Set<keyof Contract>([
  'listActiveSlots',
  'listFeaturedWorks',
  'listHelpArticles',
  'listHelpCategories',
  'listHistory',
  'listSimilar',
  'listTrending',
  'listVersions',
  'readContact',
  'readHelpArticle',
  'readTagPage',
  'searchHelpArticles',
]);

/** Calls of a community service, in the contract's order. */
export const upstreamCalls = (): UpstreamCall[] =>
  Object.entries<Route>(contract).flatMap(([name, route]) =>
    isOperation(name) && route.service === 'community' ? [{ operation: name, route }] : [],
  );

function isOperation(name: string): name is Operation {
  return Object.hasOwn(contract, name);
}

export const isNamed = ({ operation }: UpstreamCall): boolean => NAMED.has(operation);
export const isRead = ({ operation }: UpstreamCall): boolean => READ.has(operation);

/** Keys and ids from the lists of a service. */
export type Known = { pluginKey?: string; articleId?: number };

/** Parameters of a call; undefined if a required one is unknown. */
export function payloadFor({ route }: UpstreamCall, known: Known): Record<string, string> | undefined {
  const values: Record<string, string | undefined> = {
    plugin_key: known.pluginKey,
    id: known.articleId === undefined ? undefined : String(known.articleId),
    activity_id: String(ACTIVITY_ID),
    range: '0',
  };
  const wanted = [...(route.params?.required ?? []), ...(route.query?.required ?? [])].filter(
    (name) => !('default' in (route.query?.properties[name] ?? {})),
  );
  const payload: Record<string, string> = {};
  for (const name of wanted) {
    const value = values[name];
    if (value === undefined) return undefined;
    payload[name] = value;
  }
  return payload;
}

/** Changes of one plugin, each undone by the next. Only tried on request. */
export const CHANGES: readonly { operation: Operation; body?: Readonly<Record<string, unknown>> }[] = [
  { operation: 'recordView' },
  { operation: 'praisePlugin', body: { praise: 1 } },
  { operation: 'praisePlugin', body: { praise: -1 } },
  { operation: 'installPlugin' },
  { operation: 'uninstallPlugin' },
];
