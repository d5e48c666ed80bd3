import { type CollectionAccess, ROLE_ADMIN, ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Caller } from './auth/caller.ts';

/**
 * Who may do what with which noun, beyond the access of a route: each rule once. What finds a row asks here, and says how it
 * refuses.
 */
type User = Pick<Caller, 'user_id' | 'role' | 'token'>;

/** Users who may publish (R 1.5). */
export type Publishers = 'admins' | 'members';

/** Admin is true for the roles 1 and 2. */
export function isAdmin({ role }: Pick<User, 'role'>): boolean {
  return role === ROLE_SUPER_ADMIN || role === ROLE_ADMIN;
}

export function canPublish(user: Pick<User, 'role'>, publishers: Publishers): boolean {
  return isAdmin(user) || publishers === 'members';
}

/** Administrators publish without limits; a publish token has the rights of a general user, whoever created it. */
export function canPublishUnlimited(user: User): boolean {
  return isAdmin(user);
}

/** The mark of a plugin, such as the official one. */
export function canMark(user: User): boolean {
  return isAdmin(user);
}

/** A plugin, as far as rights depend on it. */
type OwnedPlugin = { publisher_id: number };

export function isPublisher({ user_id }: Pick<User, 'user_id'>, plugin: OwnedPlugin): boolean {
  return plugin.publisher_id === user_id;
}

/** Administrators get every package that is not withdrawn, others what they see or have. */
export function canGetEveryPackage(user: Pick<User, 'role'> | null): boolean {
  return user !== null && isAdmin(user);
}

/** All of a plugin, hidden versions too. */
export function canSeeAll(user: User | null, plugin: OwnedPlugin): boolean {
  return user !== null && (isPublisher(user, plugin) || isAdmin(user));
}

/** Unreviewed and hidden plugins are visible to their publisher and to administrators only. */
export function canSee(user: User | null, plugin: OwnedPlugin & { is_visible: boolean }): boolean {
  return plugin.is_visible || canSeeAll(user, plugin);
}

/** What an administrator has hidden of a publisher's own words, who wrote it and administrators still see. */
export function canSeeProfile(user: User | null, profile: { user_id: number }): boolean {
  return user !== null && (user.user_id === profile.user_id || isAdmin(user));
}

/** Publishers edit their own plugins, administrators all. */
export function canEdit(user: User, plugin: OwnedPlugin): boolean {
  return isPublisher(user, plugin) || isAdmin(user);
}

/**
 * A publish token that is restricted to a plugin is good for no other and for no new one.
 * @param pluginKey null for a new plugin
 */
export function isInScope({ token }: User, pluginKey: string | null): boolean {
  return !token || token.plugin_key === null || token.plugin_key === pluginKey;
}

/** What an administrator has hidden, no publisher shows again. */
export function canShowVersion(user: User, version: { is_hidden_by_admin: boolean }): boolean {
  return !version.is_hidden_by_admin || isAdmin(user);
}

/** What one administrator has proposed, another one confirms. */
export function canConfirm({ user_id }: Pick<User, 'user_id'>, proposal: { proposed_by: number }): boolean {
  return user_id !== proposal.proposed_by;
}

/** A collection, as far as rights depend on it; one of the editors belongs to nobody. */
type OwnedCollection = { user_id: number | null; access: CollectionAccess; is_hidden: boolean };

/** Users change their own collections, administrators those of the editors. */
export function canChangeCollection(
  user: Pick<User, 'user_id' | 'role'> | null,
  { user_id }: Pick<OwnedCollection, 'user_id'>,
): boolean {
  return user !== null && (user_id === null ? isAdmin(user) : user.user_id === user_id);
}

/** Users read what they may change and what is shared and not hidden, administrators all that is shared. */
export function canReadCollection(user: User | null, collection: OwnedCollection): boolean {
  if (canChangeCollection(user, collection)) return true;
  if (collection.access === 'private') return false;
  return !collection.is_hidden || (user !== null && isAdmin(user));
}

/** Authors decide on their own submissions only where the deployment allows it (R 7.4). */
export function canDecide({ reviewsOwn }: { reviewsOwn: boolean }, submission: { is_own: boolean }): boolean {
  return !submission.is_own || reviewsOwn;
}
