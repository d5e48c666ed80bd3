import type { Method, Route } from '../../shared/route.ts';
import type { Shape } from '../../shared/tolerant.ts';

/** One operation of the contract as the client needs it. */
export type WireOperation = {
  method: Method;
  /** Literal path with `{key}` parameters. */
  path: string;
  /** Where the payload goes, apart from path parameters. */
  in: 'query' | 'body' | 'multipart';
  /** Needs no session. */
  open: boolean;
  params: string[];
  /** The one `code` that means success, where 0 and 200 don't both count. */
  successCode?: number;
  /** Shape for parsing its response; absent for files. */
  data?: Shape;
};

/** The parts of a contract route that the browser needs: no schema, so no TypeBox. */
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
