import type { Static, TObject, TRecord, TSchema } from 'typebox';
import type { ToolScope } from './entities/tool.ts';

/** Who may call a route. There is no default: a route without it does not compile (R 1.3). */
export type Access = 'all' | 'user' | 'publisher' | 'admin';

/** The service of a route; the gateway proxies the routes of other services. */
type Service = 'community' | 'identity' | 'gateway';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Names of rate limits; the gateway defines them (R 15.6). */
export type RateLimit = 'sign-in' | 'code-exchange' | 'report' | 'upload' | 'account' | 'export';

/** One operation of the API, as data. */
export type Route = {
  service: Service;
  method: Method;
  /** Literal path with `{key}` parameters. */
  path: `/${string}`;
  access: Access;
  summary: string;
  params?: TObject;
  query?: TObject;
  /** A record is proxied unchanged, because only the service knows its fields. */
  body?: TObject | TRecord;
  /** The body is multipart/form-data; `body` then describes its fields. */
  multipart?: true;
  /** Size limit of a JSON body in bytes, if it is above the default of 64 KiB. */
  bodyBytes?: number;
  /** Schema of the envelope's `data`; absent for files. */
  data?: TSchema;
  /** The envelope's `code` of a success, if it is another one than 0 (R 11.7). */
  successCode?: 200;
  /** The response is a file that the browser loads itself, so the request cannot have a custom header. */
  file?: true;
  /**
   * Part of the Client API, for design tools: within a major version nothing of it is taken away or narrowed
   * (test/shared/client-api.test.ts).
   */
  client?: true;
  /** A file that is public for some callers only: the gateway sends the session. */
  sendsSession?: true;
  /** Only for navigations of a window, or of a frame of this site; `fetch` is refused. */
  navigation?: true;
  /** Seconds for which the gateway may cache an anonymous response. */
  cache?: number;
  /**
   * Seconds for which any cache may keep the response, which is the same for everybody: the gateway sends no session with
   * the call and asks for no header of its own. More than 0 only with `cache`.
   */
  shared?: number;
  /** The response contains user info, which has tokens at some services: the gateway removes them. */
  answersUser?: true;
  /**
   * A long list without secrets, which the gateway may compress. Together with text of an attacker, the length of a
   * compressed response would reveal secrets (BREACH).
   */
  compress?: true;
  /** Only exists with our own identity service. */
  ownAccounts?: true;
  /** Sent by `navigator.sendBeacon`, which cannot set headers: Origin or Sec-Fetch-Site must prove its site. */
  beacon?: true;
  rateLimit?: RateLimit;
  /** Open pages poll it, so it does not count as use of the session. */
  background?: true;
  /** A route of administrators that only super administrators may call. */
  superAdmin?: true;
  /** A publish token is accepted instead of a session, for command lines. */
  publishToken?: true;
  /** An access token of a tool with this scope is accepted instead of a session. */
  scope?: ToolScope;
  /** The cookie of a tool's request passes to the service, which demands the browser that began it. */
  toolRequest?: true;
};

type PartOf<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer S extends TSchema }
  ? Static<S>
  : unknown;

export type ParamsOf<R> = PartOf<R, 'params'>;
export type QueryOf<R> = PartOf<R, 'query'>;
export type BodyOf<R> = PartOf<R, 'body'>;
export type DataOf<R> = R extends { data: infer S extends TSchema } ? Static<S> : undefined;

/** Parameters of a call: path parameters, query and body in one flat object (R 14.2). */
export type PayloadOf<R> = ParamsOf<R> & QueryOf<R> & BodyOf<R>;

/** Defines a route with its literal types. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}
