import {
  COMMUNITY_TIMEOUT,
  CONNECT_TIMEOUT,
  REFRESH_NETWORK_RETRY,
  USER_SERVICE_TIMEOUT,
} from '../../shared/constants.ts';
import { CLIENT_TIMEOUTS, type ClientTimeouts } from '../http/connections.ts';

/** Limits of a connection to Redis. */
export type RedisTimeouts = {
  /** Includes the first reply. */
  connect: number;
  /** For commands with a fallback. */
  command: number;
  /** For commands without a fallback, since the last reply: after a longer silence they fail immediately. */
  required: number;
};

/** How long the gateway waits, in milliseconds. */
export type GatewayTimeouts = {
  /** For the head of a response, and between chunks of its body; also for the help center. */
  community: number;
  userService: number;
  collector: number;
  connect: number;
  /** Between a refresh that failed in the network and its only repetition. */
  refreshRetry: number;
  role: number;
  /** That a page waits for a fresh token, and for its queries; both continue without it. */
  page: number;
  /** For each response on the way to the login page that a frame may show. */
  loginPage: number;
  signUpSetting: number;
  redis: RedisTimeouts;
  client: ClientTimeouts;
};

/** In production. */
export const GATEWAY_TIMEOUTS: GatewayTimeouts = {
  community: COMMUNITY_TIMEOUT,
  userService: USER_SERVICE_TIMEOUT,
  collector: 10_000,
  connect: CONNECT_TIMEOUT,
  refreshRetry: REFRESH_NETWORK_RETRY,
  role: 5000,
  page: 2000,
  loginPage: 5000,
  signUpSetting: 2000,
  redis: { connect: 2000, command: 500, required: 5000 },
  client: CLIENT_TIMEOUTS,
};
