import { type Static, Type } from 'typebox';
import { FOLLOWS_MAX } from '../constants.ts';
import {
  Cursor,
  Id,
  LanguageName,
  Nothing,
  Nullable,
  PluginKey,
  Timestamp,
  Total,
} from '../entities/base.ts';
import { Picture, Tag } from '../entities/plugin.ts';
import { PublicUser } from '../entities/user.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

const target = {
  plugin_key: Type.Optional(PluginKey),
  tag_id: Type.Optional(Id),
  publisher_id: Type.Optional(Id),
};

/** What a user follows; one of `plugin`, `tag` and `publisher` is there. */
const Follow = Type.Object({
  id: Id,
  plugin: Nullable(
    Type.Object({ plugin_key: PluginKey, name: Type.String(), lang: LanguageName, icon: Nullable(Picture) }),
  ),
  tag: Nullable(Tag),
  publisher: Nullable(PublicUser),
  /** False for what is not published any more: there is no news of it. */
  is_available: Type.Boolean(),
  followed_at: Timestamp,
});
export type Follow = Static<typeof Follow>;

/** Plugins, tags and publishers of which a user wants news. */
export const followRoutes = {
  follow: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/follow',
    access: 'user',
    summary: `Follow a plugin, a tag or a publisher, up to ${FOLLOWS_MAX}, or stop that; can be repeated`,
    /** Exactly one target. */
    body: Type.Object({ ...target, is_followed: Type.Boolean() }, { minProperties: 2, maxProperties: 2 }),
    data: Nothing,
  }),
  readFollowed: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/follow',
    access: 'user',
    compress: true,
    summary: 'Keys of all that the caller follows, for the buttons of a page',
    data: Type.Object({
      plugin_keys: Type.Array(PluginKey),
      tag_ids: Type.Array(Id),
      publisher_ids: Type.Array(Id),
    }),
  }),
  listFollows: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/follow/list',
    access: 'user',
    compress: true,
    summary: 'What the caller follows, latest first',
    query: Type.Object(paging),
    data: Type.Object({ ...Total, next_cursor: Nullable(Cursor), follow_list: Type.Array(Follow) }),
  }),
};
