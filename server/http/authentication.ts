import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access, Route } from '../../shared/route.ts';
import { appError } from './errors.ts';
import { type CalledService, checkCredential } from './service-credential.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs neither a bearer token nor the credential of another service. */
    isPublic?: true;
    /** A call of the user service for the owner of a token of this kind. */
    bearer?: 'access' | 'refresh';
  }
}

const HAS_TOKEN = /^(?:Bearer|DPoP)(?: |$)/i;
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
const BOUND = /^DPoP +([\w.~+/-]+=*)$/i;

type WithHeaders = Pick<FastifyRequest, 'headers'>;

/** The token of `Authorization: Bearer` (RFC 6750 section 2.1); undefined without one and for a malformed header. */
export function bearerIn({ headers: { authorization } }: WithHeaders): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

/** The token of `Authorization: DPoP`, which is bound to a key (RFC 9449 section 7.1); undefined as above. */
export function boundTokenIn({ headers: { authorization } }: WithHeaders): string | undefined {
  return authorization === undefined ? undefined : BOUND.exec(authorization)?.[1];
}

/** Of a challenge: how the token was sent. */
type Scheme = 'Bearer' | 'DPoP';

/** 401 with the challenge of RFC 6750 section 3. */
export function unauthenticated() {
  return appError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
}

/** 401 with the challenge of RFC 6750 section 3.1. */
export function tokenInvalid(cause?: unknown, scheme: Scheme = 'Bearer') {
  return appError('TOKEN_INVALID', {
    cause,
    headers: { 'www-authenticate': `${scheme} error="invalid_token"` },
  });
}

/** 403 with the challenge of RFC 6750 section 3.1. */
export function insufficientScope(scope: string | undefined, scheme: Scheme) {
  const needed = scope === undefined ? '' : `, scope="${scope}"`;
  return appError('FORBIDDEN', {
    headers: { 'www-authenticate': `${scheme} error="insufficient_scope"${needed}` },
  });
}

const CALLER = 'caller';

/** The caller that the hook has authenticated; null for a visitor. `C`: the service's own type. */
export function visitorOrCaller<C>(request: FastifyRequest): C | null {
  return request.getDecorator<C | null>(CALLER);
}

/** @throws UNAUTHENTICATED for a visitor */
export function callerOf<C>(request: FastifyRequest): C {
  const caller = visitorOrCaller<C>(request);
  if (caller === null) throw unauthenticated();
  return caller;
}

/** Finds the owner of a bearer token; null if that does not matter. @throws TOKEN_INVALID */
type ReadBearer<C> = (token: string) => Promise<C | null>;

type Authentication<C> = {
  service: CalledService;
  /** Master keys of 32 bytes (SERVICE_KEYS); services that call have one of them. */
  keys: readonly Buffer[];
  /** Whether a token may be bound to a key; the reader checks the proof. */
  acceptsBound?: boolean;
  /** How the route of a request reads a token; undefined for a route that takes none. */
  readerOf: (request: FastifyRequest) => ReadBearer<C> | undefined;
  /** Who may make a call of the contract that is not for everybody. @throws FORBIDDEN */
  authorize: (
    caller: C,
    { route, access }: { route: Route; access: Exclude<Access, 'all'> },
    request: FastifyRequest,
  ) => Promise<void>;
};

/**
 * Who calls a service, in one hook: the owner of a bearer token where the route takes one, or else another of our services
 * (R 10.24), and whether they may (R 1.3). Runs before a body is read. Invalid tokens are refused on open routes too, or
 * their owner would silently see a visitor's page.
 */
export function authenticateCalls<C>(
  app: FastifyInstance,
  { service, keys, acceptsBound = false, readerOf, authorize }: Authentication<C>,
): void {
  const demandCredential = checkCredential(service, keys);
  app.decorateRequest(CALLER, null);
  app.addHook('onRequest', async (request) => {
    const { isPublic, bearer, route } = request.routeOptions.config;
    if (isPublic) return;
    const hasToken = HAS_TOKEN.test(request.headers.authorization ?? '');
    const read = hasToken ? readerOf(request) : undefined;
    let caller: C | null = null;
    if (read) {
      const token = bearerIn(request) ?? (acceptsBound ? boundTokenIn(request) : undefined);
      if (token === undefined) throw tokenInvalid();
      caller = await read(token);
      request.setDecorator(CALLER, caller);
    } else demandCredential(request);
    if (bearer && caller === null) throw unauthenticated();
    if (!route || route.access === 'all') return;
    if (caller === null) throw unauthenticated();
    await authorize(caller, { route, access: route.access }, request);
  });
}
