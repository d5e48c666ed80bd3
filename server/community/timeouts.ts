import { CONNECT_TIMEOUT } from '../../shared/constants.ts';

/** How long the community service waits for the user service, in milliseconds. */
export type CommunityTimeouts = {
  /** For an answer about rights, accounts or mails. */
  identity: number;
  /** For whether it sends mail. */
  mailSetting: number;
  /** For the public keys of access tokens. */
  keys: number;
};

/** In production. */
export const COMMUNITY_TIMEOUTS: CommunityTimeouts = {
  identity: 5000,
  mailSetting: 2000,
  keys: CONNECT_TIMEOUT,
};
