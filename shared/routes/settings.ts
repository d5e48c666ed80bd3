import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';

/** Optional fields, which older and external services do not return. */
const AccountState = {
  /** Host of the connection test; empty without the setting of its address. */
  test_host: Type.Optional(Type.String()),
  /** Whether other servers of the deployment have tokens to read the account (setting SERVICE_TOKENS). */
  has_readers: Type.Optional(Type.Boolean()),
};
const IconFontView = Type.Object({
  client_id: Type.String(),
  client_secret_masked: Type.String(),
  ...AccountState,
});
const StockPhotoView = Type.Object({ api_key_masked: Type.String(), ...AccountState });

/** Result of the connection test, or the reason why there was none. */
const TestResult = Type.Enum([
  'accepted',
  'refused',
  'limited',
  'failed',
  'redirected',
  'unusable',
  'too_large',
  'timed_out',
  'unreachable',
  'no_address',
  'not_saved',
  'not_opened',
]);
export const ConnectionTest = Type.Object({
  result: TestResult,
  /** HTTP status of the vendor's response, or null without a response. */
  status: Nullable(Type.Integer()),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

/** Third-party accounts of the design tool; secrets can be replaced but not read (R 7.13). */
export const settingsRoutes = {
  readIconFont: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/space-setting/iconfont',
    access: 'admin',
    summary: 'The icon-font account, its secret masked',
    data: IconFontView,
  }),
  saveIconFont: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/space-setting/iconfont',
    access: 'admin',
    summary: 'Save the icon-font account',
    body: Type.Object({
      client_id: Type.String({ minLength: 1, maxLength: 200 }),
      client_secret: Type.String({ minLength: 1, maxLength: 500 }),
    }),
    data: IconFontView,
  }),
  testIconFont: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/space-setting/iconfont/test',
    access: 'admin',
    summary: 'Test the saved icon-font account',
    body: Nothing,
    data: ConnectionTest,
  }),
  readStockPhoto: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/srv/config/pexels',
    access: 'admin',
    summary: 'The stock-photo account, its key masked',
    data: StockPhotoView,
  }),
  saveStockPhoto: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/srv/config/pexels',
    access: 'admin',
    summary: 'Save the stock-photo account',
    body: Type.Object({ api_key: Type.String({ minLength: 1, maxLength: 500 }) }),
    data: StockPhotoView,
  }),
  testStockPhoto: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/srv/config/pexels/test',
    access: 'admin',
    summary: 'Test the saved stock-photo key',
    body: Nothing,
    data: ConnectionTest,
  }),
};

/**
 * Calls of our community service for other servers of the deployment, on a separate port (settings SERVICE_TOKENS,
 * SERVICE_HOST and SERVICE_PORT). They are not in the contract: the gateway does not proxy them, nor do they accept user tokens.
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
