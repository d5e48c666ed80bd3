import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { loadKeys } from '../../sealing/keys.ts';
import { createSealer } from '../../sealing/seal.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { type Keeping, readIconFont, readStockPhoto, saveIconFont, saveStockPhoto } from './accounts.ts';

/** The file in the data folder that holds the key of these secrets. */
const KEYS_FILE = 'account-keys';

/** Accounts of the design tool at third parties (specification section 7). */
export function thirdPartyAccountsRoutes(
  app: FastifyInstance,
  guards: Guards,
  { db, dataDir, now }: { db: Db; dataDir: string; now: () => number },
): void {
  const keys = loadKeys({ configured: [], dataDir, fileName: KEYS_FILE });
  const keeping: Keeping = { db, now, sealer: createSealer(keys, 'third-party accounts') };
  implement(app, guards.admin, contract.readIconFont, () => readIconFont(keeping));
  implement(app, guards.admin, contract.saveIconFont, ({ body, request }) =>
    saveIconFont(keeping, body, callerOf(request)),
  );
  implement(app, guards.admin, contract.readStockPhoto, () => readStockPhoto(keeping));
  implement(app, guards.admin, contract.saveStockPhoto, ({ body, request }) =>
    saveStockPhoto(keeping, body, callerOf(request)),
  );
}
