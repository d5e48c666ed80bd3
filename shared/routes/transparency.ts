import { Type } from 'typebox';
import { Digest, LogEntry } from '../entities/transparency.ts';
import { route } from '../route.ts';
import { APPROVAL_KEYS_PATH } from '../signed.ts';

/** What anybody needs to verify approvals (docs/verify.md). */
export const transparencyRoutes = {
  readApprovalKeys: route({
    service: 'community',
    method: 'GET',
    path: APPROVAL_KEYS_PATH,
    access: 'all',
    client: true,
    file: true,
    summary: 'Public keys of signed approvals, old ones too, as a JWK set (RFC 7517)',
  }),
  listLog: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/log',
    access: 'all',
    client: true,
    shared: 0,
    compress: true,
    summary:
      'The hash-chained log of approvals and withdrawals after an entry, in its order; empty at its end',
    query: Type.Object({
      after: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    }),
    data: Type.Object({ entry_list: Type.Array(LogEntry) }),
  }),
  readLogHead: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/log/head',
    access: 'all',
    client: true,
    cache: 5,
    shared: 0,
    summary: 'The last entry of the log, signed',
    data: Type.Object({
      /** 0 for an empty log. */
      sequence: Type.Integer(),
      hash: Digest,
      /** JWS of both (docs/verify.md). */
      signature: Type.String(),
    }),
  }),
};
