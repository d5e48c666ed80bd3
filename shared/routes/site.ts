import { Type } from 'typebox';
import { ActivityInfo, Banner, FeaturedWork } from '../entities/site.ts';
import { VerifiedUser } from '../entities/user.ts';
import { route } from '../route.ts';

/** What surrounds the catalogue: banners, activity, featured works, the caller's role (specification section 7). */
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
