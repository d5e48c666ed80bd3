import { Type } from 'typebox';
import { Cursor, Id, Nullable, PluginKey, Timestamp, Total } from '../entities/base.ts';
import { ActiveSlot, ResourceSlot } from '../entities/site.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

const Link = Type.String({ maxLength: 2048 });

/** Resource slots: plugins in a featured position for a limited time (R 7.7). */
export const slotRoutes = {
  addSlot: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/resource_state',
    access: 'admin',
    summary: 'Add a resource slot',
    body: Type.Object({
      plugin_key: PluginKey,
      link: Type.Optional(Link),
      start_at: Type.Optional(Timestamp),
      end_at: Type.Optional(Timestamp),
    }),
    data: ResourceSlot,
  }),
  changeSlot: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/resource_state',
    access: 'admin',
    summary: 'Change the given fields of a resource slot; an empty link is the plugin’s page',
    body: Type.Object({
      id: Id,
      plugin_key: Type.Optional(PluginKey),
      link: Type.Optional(Link),
      start_at: Type.Optional(Timestamp),
      end_at: Type.Optional(Timestamp),
    }),
    data: ResourceSlot,
  }),
  disableSlot: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/resource_state/disable',
    access: 'admin',
    summary: 'Invalidate or restore a resource slot',
    query: Type.Object({ id: Id, is_disabled: Type.Boolean() }),
    data: ResourceSlot,
  }),
  listSlots: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/resource_state/list',
    access: 'admin',
    summary: 'Resource slots with their status, newest first',
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      slot_list: Type.Array(ResourceSlot),
    }),
  }),
  listActiveSlots: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/resource_state/active',
    access: 'all',
    client: true,
    scope: 'plugins:read',
    cache: 5,
    summary: 'Current resource slots',
    data: Type.Object({ slot_list: Type.Array(ActiveSlot) }),
  }),
};
