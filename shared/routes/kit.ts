import { type Static, Type } from 'typebox';
import { KIT_LIMITS } from '../constants.ts';
import { Id, Nothing, PluginKey, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';
import { CollectedPlugin } from './collection.ts';

const EnterpriseId = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: '0 for everybody who signs in',
});

const summary = {
  id: Id,
  name: Type.String(),
  /** The enterprise that it is for; 0 for everybody who signs in. */
  e_id: EnterpriseId,
  /** The department of that enterprise that it is for; empty for all of it. */
  department: Type.String(),
  plugin_count: Type.Integer(),
  updated_at: Timestamp,
};

export const KitSummary = Type.Object(summary);
export type KitSummary = Static<typeof KitSummary>;

export const Kit = Type.Object({
  ...summary,
  plugin_list: Type.Array(CollectedPlugin),
});
export type Kit = Static<typeof Kit>;

/** Onboarding kits: default installs for a group (R 7.20). */
export const kitRoutes = {
  listKits: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/kit/list',
    access: 'admin',
    summary: `Onboarding kits, at most ${KIT_LIMITS.kits}, by name`,
    data: Type.Object({ kit_list: Type.Array(KitSummary) }),
  }),
  readKit: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/kit',
    access: 'admin',
    summary: 'An onboarding kit with its plugins in their order, and what they may reach',
    query: Type.Object({ id: Id }),
    data: Kit,
  }),
  saveKit: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/kit',
    access: 'admin',
    summary:
      'Make an onboarding kit, or change the given fields of one; a department goes with an enterprise',
    body: Type.Object({
      id: Type.Optional(Id),
      name: Type.Optional(Type.String({ maxLength: KIT_LIMITS.name })),
      e_id: Type.Optional(EnterpriseId),
      department: Type.Optional(Type.String({ maxLength: KIT_LIMITS.department })),
    }),
    data: Type.Object({ id: Id }),
  }),
  deleteKit: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/kit',
    access: 'admin',
    summary: 'Delete an onboarding kit; what it has installed stays',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  setKitPlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/kit/plugin',
    access: 'admin',
    summary: `Add a plugin to an onboarding kit, up to ${KIT_LIMITS.plugins}, or remove it; can be repeated`,
    body: Type.Object({ id: Id, plugin_key: PluginKey, is_in: Type.Boolean() }),
    data: Nothing,
  }),
  orderKit: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/kit/order',
    access: 'admin',
    summary: 'Put all plugins of an onboarding kit in an order; 409 if it has others by now',
    body: Type.Object({
      id: Id,
      plugin_keys: Type.Array(PluginKey, { maxItems: KIT_LIMITS.plugins }),
    }),
    data: Nothing,
  }),
};
