import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { ManagedBanner } from '../entities/backstage.ts';
import { Id, LanguageName, Nothing, Nullable, TextsSchema } from '../entities/base.ts';
import { QrCode } from '../entities/site.ts';
import { route } from '../route.ts';

const Link = Type.String({ maxLength: 2048 });

/** Administration of banners and QR codes (R 7.14). */
export const bannerRoutes = {
  listManagedBanners: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin-banner/list',
    access: 'admin',
    summary: 'All banners, also those without a link',
    data: Type.Object({ banner_list: Type.Array(ManagedBanner) }),
  }),
  saveBanner: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin-banner',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Add a banner, or change the one of `id`; file part `picture`',
    body: Type.Object({
      id: Type.Optional(Id),
      redirect_url: Type.Optional(Link),
      title: Type.Optional(TextsSchema(200)),
      default_lang: Type.Optional(LanguageName),
    }),
    data: ManagedBanner,
  }),
  deleteBanner: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/plugin-banner',
    access: 'admin',
    summary: 'Delete a banner',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  orderBanners: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin-banner/order',
    access: 'admin',
    summary: 'Reorder the banners',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 200 }) }),
    data: Nothing,
  }),
  listQrCodes: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/qr-code/list',
    access: 'admin',
    summary: 'QR codes: name and picture',
    data: Type.Object({ qr_code_list: Type.Array(QrCode) }),
  }),
  saveQrCode: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/qr-code',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Add a QR code, or change the one of `id`; file part `picture`',
    body: Type.Object({
      id: Type.Optional(Id),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_LIMITS.name })),
      is_contact: Type.Optional(Type.Boolean()),
    }),
    data: QrCode,
  }),
  deleteQrCode: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/qr-code',
    access: 'admin',
    summary: 'Delete a QR code',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  readContact: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/qr-code/contact',
    access: 'all',
    cache: 30,
    summary: 'The QR code of the feedback group, if there is one',
    data: Type.Object({ qr_code: Nullable(QrCode) }),
  }),
};
