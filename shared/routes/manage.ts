import { Type } from 'typebox';
import { TEXT_LIMITS, WITHDRAWAL_REASONS } from '../constants.ts';
import { ManagedPlugin, WithdrawalProposal } from '../entities/backstage.ts';
import { Cursor, Id, Nothing, Nullable, PluginKey, TextsSchema, Total } from '../entities/base.ts';
import { Withdrawal } from '../entities/plugin.ts';
import { managedFilters } from '../paging.ts';
import { route } from '../route.ts';

/** Withdraws or restores. The other fields go with a withdrawal, which needs all of them. */
const WithdrawalChange = {
  is_withdrawn: Type.Boolean(),
  reason: Type.Optional(Type.Enum(WITHDRAWAL_REASONS)),
  /** Shown to the publisher, to users who have installed it, and in the list of removed plugins; at least one language. */
  text: Type.Optional(TextsSchema(TEXT_LIMITS.reason)),
  must_stop: Type.Optional(Type.Boolean()),
};

/** Nothing is changed before another administrator confirms it (setting WITHDRAW_FOUR_EYES). */
const Proposed = { is_proposed: Type.Optional(Type.Boolean()) };

/** Management of published plugins by administrators (R 7.6). */
export const manageRoutes = {
  listManagedPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/list',
    access: 'admin',
    summary: 'All plugins with their statistics and settings',
    query: Type.Object({
      ...managedFilters,
      /** Lists deleted plugins instead, the last deleted first; other filters do not apply. */
      is_deleted: Type.Optional(Type.Literal(true)),
      sort: Type.Optional(
        Type.Union([
          Type.Literal('latest'),
          Type.Literal('installs'),
          Type.Literal('likes'),
          Type.Literal('views'),
          Type.Literal('recommended'),
        ]),
      ),
    }),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(ManagedPlugin),
    }),
  }),
  hidePlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/hidden',
    access: 'admin',
    summary: 'Hide a plugin from the marketplace, or show it again',
    body: Type.Object({ plugin_key: PluginKey, is_hidden: Type.Boolean() }),
    data: ManagedPlugin,
  }),
  withdrawPlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/withdrawn',
    access: 'admin',
    summary: 'Withdraw a plugin, or one version of it, from everybody, or restore it; also a deleted one',
    body: Type.Object({
      plugin_key: PluginKey,
      version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      ...WithdrawalChange,
    }),
    data: Type.Object({ plugin_key: PluginKey, withdrawal: Nullable(Withdrawal), ...Proposed }),
  }),
  readPublisherReach: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/publisher/withdrawn',
    access: 'admin',
    summary: 'What a withdrawal of everything of a publisher, or its end, would reach',
    query: Type.Object({ user_id: Id }),
    data: Type.Object({
      /** Plugins that are not withdrawn, deleted ones too. */
      plugin_count: Type.Integer(),
      /** Their installs. */
      install_count: Type.Integer(),
      /** Plugins that were withdrawn together, and would be restored together. */
      withdrawn_count: Type.Integer(),
    }),
  }),
  withdrawPublisher: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/publisher/withdrawn',
    access: 'admin',
    summary: 'Withdraw every plugin of a publisher, also deleted ones, or restore those; can be repeated',
    body: Type.Object({ user_id: Id, ...WithdrawalChange }),
    data: Type.Object({ plugin_count: Type.Integer(), ...Proposed }),
  }),
  listWithdrawalProposals: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/withdrawal/proposal/list',
    access: 'admin',
    summary: 'Withdrawals and restorations that wait for a second administrator, the oldest first',
    data: Type.Object({
      /** Whether the site asks for a second administrator (setting WITHDRAW_FOUR_EYES). */
      is_needed: Type.Boolean(),
      proposal_list: Type.Array(WithdrawalProposal),
    }),
  }),
  confirmWithdrawal: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/withdrawal/proposal',
    access: 'admin',
    summary: 'Do what another administrator has proposed; 403 for an own proposal',
    body: Type.Object({ id: Id }),
    data: Type.Object({
      /** Plugins and versions that were withdrawn or restored. */
      change_count: Type.Integer(),
    }),
  }),
  callOffWithdrawal: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/withdrawal/proposal',
    access: 'admin',
    summary: 'Call off what was proposed, by its proposer or another administrator',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  recommendPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/recommendation/publish',
    access: 'admin',
    summary: 'Start or end the recommendation of a plugin',
    body: Type.Object({ plugin_key: PluginKey, is_recommended: Type.Boolean() }),
    data: ManagedPlugin,
  }),
  orderRecommended: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/recommendation/order',
    access: 'admin',
    summary: 'Reorder the recommended plugins',
    body: Type.Object({ plugin_keys: Type.Array(PluginKey, { maxItems: 500 }) }),
    data: Nothing,
  }),
  setSilentInstall: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/silent_install',
    access: 'admin',
    summary: 'Start or end installing a plugin by default',
    body: Type.Object({ plugin_key: PluginKey, is_silent: Type.Boolean() }),
    data: ManagedPlugin,
  }),
  installDefaults: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/user/new/silent',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary: 'Install the default plugins for the caller, each once',
    data: Type.Object({ plugin_keys: Type.Array(PluginKey) }),
  }),
  downloadPlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/{key}/download',
    access: 'admin',
    file: true,
    summary: 'The package of the current version of a plugin, or of `version`',
    params: Type.Object({ key: PluginKey }),
    query: Type.Object({ version: Type.Optional(Type.String({ maxLength: 64 })) }),
  }),
};
