import type { FastifyBaseLogger } from 'fastify';
import type { GatewayConfig } from '../options.ts';
import type { RoleOf } from '../session/roles.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Transactions } from './transaction.ts';
import type { UserService } from './user-service.ts';

/** What signing in and out takes. */
export type AuthParts = {
  config: GatewayConfig;
  sessions: Sessions;
  transactions: Transactions;
  userService: UserService;
  roleOf: RoleOf;
  log: FastifyBaseLogger;
  now: () => number;
};
