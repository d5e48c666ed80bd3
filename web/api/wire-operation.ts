import type { Method, Route } from '../../shared/route.ts';
import type { Shape } from '../../shared/tolerant.ts';

/** One operation of the contract as the client needs it: where to send what. */
export type WireOperation = {
  method: Method;
  /** Literal path with `{key}` parameters. */
  path: string;
  /** Where the payload goes that is no path parameter. */
  in: 'query' | 'body' | 'multipart';
  /** Answered to everybody, signed in or not. */
  open: boolean;
  params: string[];
  /** The one `code` that means success, where it is not 0 or 200 alike. */
  successCode?: number;
  /** How its answers are read; absent for files. */
  data?: Shape;
};

/** What the browser needs to know of a route of the contract: no schema, so no TypeBox. */
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
