/** Signed statements about plugins: JSON Web Signatures (RFC 7515) with EdDSA, in the form of JWTs (RFC 7519). */

/** Where the public keys are (RFC 7517). */
export const APPROVAL_KEYS_PATH = '/.well-known/plugin-square/keys.json';

/** `typ` of a signed approval; its subject is the plugin's key. */
export const APPROVAL_TYPE = 'plugin-approval+jwt';
/** `typ` of the signed head of a log. */
export const LOG_HEAD_TYPE = 'plugin-log-head+jwt';
/** `typ` of the signature of a page of changes, whose payload is the body (RFC 7515 appendix F). */
export const CHANGES_TYPE = 'plugin-changes+jws';
/** Header with that signature. */
export const SIGNATURE_HEADER = 'x-jws-signature';

/** What an approval says beside `iss` (address of the site), `sub` (key of the plugin) and `iat` (time of approval). */
export type ApprovalClaims = {
  version: string;
  /** SHA-256 of the package in hexadecimal, and its bytes. */
  digest: string;
  size: number;
  /** What it may reach, sorted. */
  permissions: string[];
  domains: string[];
  /** Versions of design tools that it works in, sorted, such as `pixso >=4.2; whiteboard *`; null for all. */
  host_range: string | null;
};
