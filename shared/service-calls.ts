import { Type } from 'typebox';
import { Nullable, Timestamp } from './entities/base.ts';

/**
 * Calls of our community service for other servers of the deployment, on a port of their own (settings SERVICE_TOKENS,
 * SERVICE_HOST and SERVICE_PORT). They stand outside the contract: no gateway passes them on, and no user's token counts.
 */
export const serviceCalls = {
  /** `account` is null until an administrator has saved one. */
  readIconFontAccount: {
    method: 'GET',
    path: '/service/account/icon-font',
    data: Type.Object({
      account: Nullable(
        Type.Object({ client_id: Type.String(), client_secret: Type.String(), updated_at: Timestamp }),
      ),
    }),
  },
  readStockPhotoAccount: {
    method: 'GET',
    path: '/service/account/stock-photo',
    data: Type.Object({
      account: Nullable(Type.Object({ api_key: Type.String(), updated_at: Timestamp })),
    }),
  },
} as const;
