import { type Static, Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { LanguageName, Nullable, PluginKey, REQUIRED, TextsSchema, Timestamp } from './base.ts';
import { Compatibility } from './host.ts';
import { Deprecation, HOLDS, Installation, InstalledDeprecation, Withdrawal } from './plugin.ts';

/** SHA-256 in hexadecimal digits. */
const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** What of a version a tool downloads. Null in the seconds before the digest of a new package is known. */
const Package = Nullable(
  Type.Object({
    digest: Digest,
    /** Bytes. */
    size: Type.Integer(),
    /** Of its approval; null until it is signed. */
    signature: Nullable(Type.String()),
    /** Path on this site. */
    address: Type.String(REQUIRED),
  }),
);

/** What a version may reach. */
const Rights = {
  /** Domains: empty = none, "*" = any. */
  domains: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
};

/**
 * `active`: delivered as it is. `update_offered`: delivered as it is, the newer version asks for more rights. `deprecated`:
 * delivered as it is, no longer maintained; there may be an update too. `withdrawn`: to be stopped. `trial`: an own version
 * that is not published. `unavailable`: no version can be delivered now. `incompatible`: none works in the tool that asks.
 */
const INSTALLED_STATES = [
  'active',
  'update_offered',
  'deprecated',
  'withdrawn',
  'trial',
  'unavailable',
  'incompatible',
] as const;
export type InstalledStateName = (typeof INSTALLED_STATES)[number];

export const InstalledItem = Type.Object({
  plugin_key: PluginKey,
  name: Type.String(),
  /** Language of the name, which may differ from the requested one. */
  lang: LanguageName,
  state: Type.Enum(INSTALLED_STATES),
  /** False for a plugin that is hidden, deleted or not yet published. */
  is_listed: Type.Boolean(),
  /** The delivered version; empty without one. */
  version: Type.String(),
  package: Package,
  ...Rights,
  /** Of the delivered version; without one, of the newest. */
  ...Compatibility,
  update: Installation.properties.update,
  trial: Installation.properties.trial,
  hold: Nullable(Type.Object({ kind: Type.Enum(HOLDS), version: Type.String(REQUIRED) })),
  /** A newer version that is not delivered before it is old enough. */
  waiting: Nullable(Type.Object({ version: Type.String(REQUIRED), from: Timestamp })),
  withdrawal: Nullable(Withdrawal),
  deprecation: Nullable(InstalledDeprecation),
});
export type InstalledItem = Static<typeof InstalledItem>;

export const InstalledState = Type.Object({ plugin_list: Type.Array(InstalledItem) });
export type InstalledState = Static<typeof InstalledState>;

/** Days since its approval after which a version replaces an installed one; security releases do at once. */
export const UpdateAge = Type.Object({
  days: Type.Integer(),
  /** What the caller has chosen. */
  own: Nullable(Type.Integer()),
  /** What holds without a choice. */
  site: Type.Integer(),
  /** The least that the caller may choose. */
  shortest: Type.Integer(),
});
export type UpdateAge = Static<typeof UpdateAge>;

/** `unlisted`: nobody new can get it; who has it keeps it. */
const CHANGED_STATES = ['listed', 'unlisted', 'withdrawn'] as const;
export type ChangedStateName = (typeof CHANGED_STATES)[number];

/** A withdrawal in every language in which its text is written, since one answer is for everybody. */
const ToldWithdrawal = Type.Object({
  reason: Withdrawal.properties.reason,
  texts: TextsSchema(TEXT_LIMITS.reason),
  must_stop: Withdrawal.properties.must_stop,
  withdrawn_at: Withdrawal.properties.withdrawn_at,
});
export type ToldWithdrawal = Static<typeof ToldWithdrawal>;

/** A deprecation in every language in which its text is written. */
const ToldDeprecation = Type.Object({
  texts: TextsSchema(TEXT_LIMITS.reason),
  deprecated_at: Deprecation.properties.deprecated_at,
  /** Listed here too, unless nobody new can get it. */
  successor: Nullable(PluginKey),
});
export type ToldDeprecation = Static<typeof ToldDeprecation>;

/** A withdrawn version, by what a tool may have stored. */
const WithdrawnVersion = Type.Object({
  version: Type.String(REQUIRED),
  digest: Nullable(Digest),
  ...ToldWithdrawal.properties,
});

/** A plugin as it is now, at the position of its last change. */
export const CatalogueChange = Type.Object({
  position: Type.Integer(REQUIRED),
  plugin_key: PluginKey,
  state: Type.Enum(CHANGED_STATES),
  /** The current version; empty unless the plugin is listed. */
  version: Type.String(),
  package: Package,
  ...Rights,
  ...Compatibility,
  /** Of the whole plugin. */
  withdrawal: Nullable(ToldWithdrawal),
  /** The plugin goes on working. */
  deprecation: Nullable(ToldDeprecation),
  withdrawn_versions: Type.Array(WithdrawnVersion),
});
export type CatalogueChange = Static<typeof CatalogueChange>;

export const CatalogueChanges = Type.Object({
  change_list: Type.Array(CatalogueChange),
  /** To be sent as `after` next time. */
  next: Type.Integer(),
  /** False for the last page so far. */
  has_more: Type.Boolean(),
});
export type CatalogueChanges = Static<typeof CatalogueChanges>;
