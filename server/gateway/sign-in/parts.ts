import type { FastifyBaseLogger } from 'fastify';
import type { GatewayConfig } from '../options.ts';
import type { KnownDevices } from '../session/known-devices.ts';
import type { RoleOf } from '../session/roles.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { PendingBinds } from './bind-cookie.ts';
import type { Provider } from './provider.ts';
import type { Transactions } from './transaction.ts';
import type { UserService } from './user-service.ts';

/** What signing in and out takes. */
export type AuthParts = {
  config: GatewayConfig;
  sessions: Sessions;
  state: SharedState;
  transactions: Transactions;
  binds: PendingBinds;
  devices: KnownDevices;
  provider: Provider;
  /** The user service, for calls that no other provider has; undefined where another one signs people in. */
  userService: UserService | undefined;
  roleOf: RoleOf;
  log: FastifyBaseLogger;
  now: () => number;
};
