import { type Static, Type } from 'typebox';
import { PROOF_RESULTS, PROOF_WAYS, TEXT_LIMITS } from '../constants.ts';
import { Nullable, REQUIRED, Timestamp } from './base.ts';
import { PublicUser } from './user.ts';

/** What an administrator has decided about the mark of a publisher. */
const Decision = Type.Object({
  /** False: the mark was taken away, whatever domain is proved. */
  is_verified: Type.Boolean(),
  reason: Type.String({ maxLength: TEXT_LIMITS.reason }),
  decided_at: Timestamp,
});

/** A domain of a publisher, with what it has to say to prove that it is theirs. */
export const OwnDomain = Type.Object({
  /** As DNS has it. */
  domain: Type.String(REQUIRED),
  token: Type.String(REQUIRED),
  /** Null before it is proved. */
  verified_at: Nullable(Timestamp),
  way: Nullable(Type.Enum(PROOF_WAYS)),
  /** When the mark falls off, if the proof stays missing; null while it is found. */
  ends_at: Nullable(Timestamp),
});

/** The verification of the caller as a publisher. */
export const OwnVerification = Type.Object({
  /** What others see beside their name, as in `PublicUser`; null without the mark. */
  verified: Nullable(Type.String()),
  domain: Nullable(OwnDomain),
  decision: Nullable(Decision),
});
export type OwnVerification = Static<typeof OwnVerification>;

/** What was found in one of the places where a proof may be. */
export const ProofResult = Type.Object({
  result: Type.Enum(PROOF_RESULTS),
  /** The other token; only with `other_token`. */
  found: Type.Optional(Type.String()),
});
export type ProofResult = Static<typeof ProofResult>;

/** A verified publisher, for administrators. */
export const VerifiedPublisher = Type.Object({
  publisher: PublicUser,
  /** When the domain was proved, or an administrator verified them. */
  since: Timestamp,
  /** Why an administrator verified them; empty for a proved domain. */
  reason: Type.String(),
  /** When the mark falls off, if the proof stays missing; null while it is found. */
  ends_at: Nullable(Timestamp),
});
