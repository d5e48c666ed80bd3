import { Type } from 'typebox';
import { FEATURED_WORKS_MAX, TEXT_LIMITS } from '../constants.ts';
import { ManagedActivity, ManagedWork } from '../entities/backstage.ts';
import { Id, LanguageName, Nothing, Nullable, TextsSchema } from '../entities/base.ts';
import { route } from '../route.ts';

const Link = Type.String({ maxLength: 2048 });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

/** Administration of the community content in the header. */
export const featuredRoutes = {
  listManagedWorks: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/community/featured/list',
    access: 'admin',
    summary: 'All featured works in their order, also hidden ones',
    data: Type.Object({ work_list: Type.Array(ManagedWork) }),
  }),
  saveWork: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/community/featured',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary:
      'Add a featured work, which needs title, author, link and file part `picture`, or change the one of `id`',
    body: Type.Object({
      id: Type.Optional(Id),
      title: Type.Optional(TextsSchema(200)),
      default_lang: Type.Optional(LanguageName),
      author: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
      url: Type.Optional(Link),
      view_num: Type.Optional(Count),
      like_num: Type.Optional(Count),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: ManagedWork,
  }),
  orderWorks: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/community/featured/order',
    access: 'admin',
    summary: 'Reorder the featured works',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: FEATURED_WORKS_MAX }) }),
    data: Nothing,
  }),
  deleteWork: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/community/featured',
    access: 'admin',
    summary: 'Delete a featured work',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  readManagedActivity: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/activity',
    access: 'admin',
    summary: 'The activity card, if there is one, even if it is hidden',
    data: Type.Object({ activity: Nullable(ManagedActivity) }),
  }),
  saveActivity: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/activity',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Create or change the activity card; file part `cover`',
    body: Type.Object({
      view_num: Type.Optional(Count),
      participate_num: Type.Optional(Count),
      tutorial_url: Type.Optional(Link),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: ManagedActivity,
  }),
  deleteActivity: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/activity',
    access: 'admin',
    summary: 'Delete the activity card',
    data: Nothing,
  }),
};
