import type { FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { tokenInvalid } from '../sessions/caller.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const TOKEN_MAX = 8192;

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 section 2.1).
 * @throws UNAUTHENTICATED when there is no such header, TOKEN_INVALID when it holds no token
 */
export function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw appError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
  const [, token] = header.length <= TOKEN_MAX ? (BEARER.exec(header) ?? []) : [];
  if (token === undefined) throw tokenInvalid();
  return token;
}
