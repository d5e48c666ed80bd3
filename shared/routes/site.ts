import { Type } from 'typebox';
import { PluginKey, Timestamp } from '../entities/base.ts';
import { ActivityInfo, Banner, FeaturedWork } from '../entities/site.ts';
import { VerifiedUser } from '../entities/user.ts';
import { route } from '../route.ts';

/** Banners, activity, featured works and the caller's role. */
export const siteRoutes = {
  verifyUser: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/verify',
    access: 'user',
    answersUser: true,
    summary: 'The caller and their role',
    data: VerifiedUser,
  }),
  listBanners: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin-banner/all',
    access: 'all',
    cache: 5,
    summary: 'Banners in their order',
    data: Type.Object({ banner_list: Type.Array(Banner) }),
  }),
  readActivity: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/activity/activity/info',
    access: 'all',
    cache: 5,
    successCode: 200,
    summary: 'The community activity card',
    query: Type.Object({ activity_id: Type.Integer({ minimum: 1, maximum: 2147483647 }) }),
    data: ActivityInfo,
  }),
  listFeaturedWorks: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/community/featured',
    access: 'all',
    cache: 5,
    summary: 'Four featured works of the community',
    data: Type.Object({ work_list: Type.Array(FeaturedWork) }),
  }),
};

/** Published plugins by ranges of ids, for sitemaps. */
export const sitemapRoutes = {
  listSitemapRanges: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/sitemap/ranges',
    access: 'all',
    summary: 'Numbers of ranges with published plugins',
    data: Type.Object({ range_list: Type.Array(Type.Integer()) }),
  }),
  listSitemapPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/sitemap',
    access: 'all',
    summary: 'Published plugins of one range, at most 1,000',
    query: Type.Object({ range: Type.Integer({ minimum: 0, maximum: 49_999 }) }),
    data: Type.Object({
      plugin_list: Type.Array(Type.Object({ plugin_key: PluginKey, updated_at: Timestamp })),
    }),
  }),
};
