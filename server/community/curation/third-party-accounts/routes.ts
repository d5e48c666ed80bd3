import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { loadSecretEncryptor } from '../../secrets.ts';
import {
  type AccountContext,
  readIconFont,
  readStockPhoto,
  saveIconFont,
  saveStockPhoto,
} from './accounts.ts';
import { createConnectionTester, type VendorSettings } from './test-connection.ts';

export type AccountSettings = VendorSettings & {
  /** True if other servers have tokens to read accounts (setting SERVICE_TOKENS). */
  hasReaders?: boolean;
  /** Keys that encrypt the secrets (setting ACCOUNT_KEYS). */
  keys?: readonly Buffer[];
};

/** Accounts of the design tool at third parties (R 7.13). */
export function thirdPartyAccountsRoutes(app: FastifyInstance): void {
  const { db, dataDir, clock: now, community } = app;
  const settings = { ca: community.ca, ...community.accounts };
  const encryptor = loadSecretEncryptor('third-party accounts', { configured: settings.keys, dataDir });
  const { testConnection, hostOf } = createConnectionTester({ db, encryptor, settings });
  const { hasReaders: has_readers = false } = settings;
  const context: AccountContext = {
    db,
    now,
    encryptor,
    stateOf: (name) => ({ test_host: hostOf(name), has_readers }),
  };
  implement(app, contract.readIconFont, () => readIconFont(context));
  implement(app, contract.saveIconFont, ({ body, request }) =>
    saveIconFont(context, body, callerOf(request)),
  );
  implement(app, contract.testIconFont, ({ request }) => testConnection('icon_font', request.log));
  implement(app, contract.readStockPhoto, () => readStockPhoto(context));
  implement(app, contract.saveStockPhoto, ({ body, request }) =>
    saveStockPhoto(context, body, callerOf(request)),
  );
  implement(app, contract.testStockPhoto, ({ request }) => testConnection('stock_photo', request.log));
}
