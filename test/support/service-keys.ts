import { serviceAuthorization } from '../../server/http/service-credential.ts';

const KEY = Buffer.alloc(32, 'a key of the tests');

/** The credential between the services of a test. */
export const SERVICE_KEYS: readonly Buffer[] = [KEY];
/** The setting SERVICE_KEYS. */
export const SERVICE_KEYS_SETTING = KEY.toString('base64url');

/** Authorization headers of calls without a user's bearer. */
export const GATEWAY_TO_COMMUNITY = serviceAuthorization(KEY, { from: 'gateway', to: 'community' });
export const GATEWAY_TO_IDENTITY = serviceAuthorization(KEY, { from: 'gateway', to: 'identity' });
export const COMMUNITY_TO_IDENTITY = serviceAuthorization(KEY, { from: 'community', to: 'identity' });
