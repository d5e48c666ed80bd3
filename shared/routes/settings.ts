import { Type } from 'typebox';
import { route } from '../route.ts';

const IconFontView = Type.Object({ client_id: Type.String(), client_secret_masked: Type.String() });
const StockPhotoView = Type.Object({ api_key_masked: Type.String() });

/** Third-party accounts of the design tool; secrets are replaced, never read back (specification section 7). */
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
};
