import { Type } from 'typebox';
import { DOMAIN_LENGTH, TEXT_LIMITS } from '../constants.ts';
import { Cursor, Id, Nothing, Nullable } from '../entities/base.ts';
import { OwnVerification, ProofResult, VerifiedPublisher } from '../entities/verification.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

const path = '/api/cmt/publisher/verification';

/** How publishers prove a domain, which gives them the mark of verified publishers. */
export const verificationRoutes = {
  readOwnVerification: route({
    service: 'community',
    method: 'GET',
    path,
    access: 'publisher',
    summary: "The caller's domain, its proof, and what administrators decided",
    data: OwnVerification,
  }),
  setOwnDomain: route({
    service: 'community',
    method: 'PUT',
    path,
    access: 'publisher',
    rateLimit: 'account',
    summary: 'Name the domain to prove; another one replaces it with its proof',
    body: Type.Object({ domain: Type.String({ minLength: 1, maxLength: DOMAIN_LENGTH }) }),
    data: OwnVerification,
  }),
  checkOwnDomain: route({
    service: 'community',
    method: 'POST',
    path: `${path}/check`,
    access: 'publisher',
    rateLimit: 'account',
    summary: 'Look for the proof of the domain now',
    data: Type.Object({ verification: OwnVerification, dns: ProofResult, well_known: ProofResult }),
  }),
  removeOwnDomain: route({
    service: 'community',
    method: 'DELETE',
    path,
    access: 'publisher',
    summary: 'Remove the domain, and the mark that follows from it; can be repeated',
    data: OwnVerification,
  }),
};

/** What administrators do about verified publishers. */
export const managedVerificationRoutes = {
  listVerified: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/publisher/verified/list',
    access: 'admin',
    summary: 'Verified publishers by id, how and since when',
    query: Type.Object(paging),
    data: Type.Object({ next_cursor: Nullable(Cursor), publisher_list: Type.Array(VerifiedPublisher) }),
  }),
  decideVerification: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/publisher/verified',
    access: 'admin',
    summary: 'Verify a publisher by hand, or take their mark away, whatever domain is proved',
    body: Type.Object({
      user_id: Id,
      is_verified: Type.Boolean(),
      /** The publisher gets it. */
      reason: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason }),
    }),
    data: Nothing,
  }),
};
