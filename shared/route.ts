import type { Static, TObject, TRecord, TSchema } from 'typebox';

/** Who may call a route. There is no default: a route without it does not compile (design section 3). */
export type Access = 'all' | 'user' | 'publisher' | 'admin';

/** Which service answers a route; the gateway passes the others on. */
type Service = 'community' | 'identity' | 'gateway';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Rate limits are named here and measured in the gateway (section 4 of the design). */
export type RateLimit = 'sign-in' | 'code-exchange' | 'report' | 'upload' | 'account' | 'export';

/** One operation on the wire, as data. */
export type Route = {
  service: Service;
  method: Method;
  /** Literal path with `{key}` parameters. */
  path: `/${string}`;
  access: Access;
  summary: string;
  params?: TObject;
  query?: TObject;
  /** A record passes as it is to a service that alone knows its fields. */
  body?: TObject | TRecord;
  /** The body is multipart/form-data; `body` then describes its fields. */
  multipart?: true;
  /** Bytes that a JSON body may have, where the usual 64 KiB are too few. */
  bodyBytes?: number;
  /** Schema of the envelope's `data`; absent for file answers. */
  data?: TSchema;
  /** The envelope's `code` of a success where the specification names another one than 0. */
  successCode?: 200;
  /** The answer is a file, fetched by the browser itself (no custom header can be asked of it). */
  file?: true;
  /** Opened by a window of a browser, or by a frame of this site; nothing that a page fetches may ask for it. */
  navigation?: true;
  /** Seconds for which the gateway may share an anonymous answer. */
  cache?: number;
  /** The answer tells of a user, whose info has fields for tokens at some services: the gateway takes these out. */
  answersUser?: true;
  /**
   * A long list that holds no secret, which the gateway may compress: beside text that a stranger chose, the length of a
   * compressed response tells what else is in it (BREACH).
   */
  compress?: true;
  /** There only where the accounts are those of our own identity service. */
  ownAccounts?: true;
  /** Sent by `navigator.sendBeacon`, which can set no header: Origin or Sec-Fetch-Site must tell the site it comes from. */
  beacon?: true;
  rateLimit?: RateLimit;
  /** Pages ask by themselves while they are open: it does not count as use of the session. */
  background?: true;
  /** A publish token may stand in for the session, so that a command line can call it. */
  publishToken?: true;
};

type PartOf<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer S extends TSchema }
  ? Static<S>
  : unknown;

export type ParamsOf<R> = PartOf<R, 'params'>;
export type QueryOf<R> = PartOf<R, 'query'>;
export type BodyOf<R> = PartOf<R, 'body'>;
export type DataOf<R> = R extends { data: infer S extends TSchema } ? Static<S> : undefined;

/** What a caller hands over: path parameters, query and body in one flat object (specification section 7). */
export type PayloadOf<R> = ParamsOf<R> & QueryOf<R> & BodyOf<R>;

/** Writes a route down without losing its literal types. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}
