import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FOLLOWS_MAX } from '../../../shared/constants.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import type { DataFor } from '../../api/client.ts';
import { infiniteQueryOptionsOf, queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { useViewer } from './viewer-context.ts';

/** What can be followed: a plugin, a tag or a publisher. */
export type FollowTarget =
  | { kind: 'plugin'; key: string }
  | { kind: 'tag'; key: number }
  | { kind: 'publisher'; key: number };

/** Keys of all that the viewer follows. */
const FOLLOWED = queryOptionsOf('readFollowed', {});

/** What the viewer follows, latest first; buttons on other pages don't update it, so it is refetched on mount. */
export const followsQuery = () => infiniteQueryOptionsOf('listFollows', {}, { staleTime: 0 });

type Followed = DataFor<'readFollowed'>;

const withKey = <Key>(keys: readonly Key[], key: Key, isIn: boolean): Key[] => [
  ...keys.filter((one) => one !== key),
  ...(isIn ? [key] : []),
];

function isIn(followed: Followed, { kind, key }: FollowTarget): boolean {
  if (kind === 'plugin') return followed.plugin_keys.includes(key);
  return (kind === 'tag' ? followed.tag_ids : followed.publisher_ids).includes(key);
}

function changed(followed: Followed, { kind, key }: FollowTarget, isFollowed: boolean): Followed {
  if (kind === 'plugin') return { ...followed, plugin_keys: withKey(followed.plugin_keys, key, isFollowed) };
  if (kind === 'tag') return { ...followed, tag_ids: withKey(followed.tag_ids, key, isFollowed) };
  return { ...followed, publisher_ids: withKey(followed.publisher_ids, key, isFollowed) };
}

function bodyOf({ kind, key }: FollowTarget) {
  if (kind === 'plugin') return { plugin_key: key };
  return kind === 'tag' ? { tag_id: key } : { publisher_id: key };
}

/** Serializes what a visitor wanted to follow, so that it survives their sign-in. */
function pendingFollowText({ kind, key }: FollowTarget): string {
  return `follow ${kind} ${key}`;
}

/** Parses that text; undefined for any other text. */
export function readPendingFollow(text: string): FollowTarget | undefined {
  const [name, kind, key = '', ...rest] = text.split(' ');
  if (name !== 'follow' || key === '' || rest.length > 0) return undefined;
  if (kind === 'plugin') return { kind, key };
  if (kind !== 'tag' && kind !== 'publisher') return undefined;
  return Number.isSafeInteger(Number(key)) ? { kind, key: Number(key) } : undefined;
}

/**
 * Whether the viewer follows something, and how they change that: shown at once and taken back if it fails, one call at a
 * time. A visitor signs in first. `isAvailable` is false where the community service has nothing to follow.
 */
export function useFollow(target: FollowTarget, name: string) {
  const t = useTranslations('follow');
  const client = useQueryClient();
  const { signedIn, startSignIn } = useViewer();
  const { data, error } = useQuery({ ...FOLLOWED, enabled: signedIn === true });
  const show = (isFollowed: boolean): void => {
    client.setQueryData(FOLLOWED.queryKey, (followed) => followed && changed(followed, target, isFollowed));
  };
  const signIn = (): void => startSignIn(pendingFollowText(target), t('ask', { name }));
  const { mutate } = useOperation('follow', (is_followed: boolean) => ({ ...bodyOf(target), is_followed }), {
    done: (_data, isFollowed) => t(isFollowed ? 'done' : 'undone', { name }),
    failsIn: 'toast',
    failed: t('failed'),
    errorMessages: { FOLLOW_LIMIT_REACHED: t('limit', { max: FOLLOWS_MAX }) },
    mutationKey: ['follow'],
    scope: { id: 'follow' },
    onMutate: async (isFollowed) => {
      await client.cancelQueries({ queryKey: FOLLOWED.queryKey });
      show(isFollowed);
    },
    onError: (failure, isFollowed) => {
      show(!isFollowed);
      if (isUnauthenticated(failure)) signIn();
    },
  });
  return {
    isAvailable: error?.status !== 404,
    isFollowed: data !== undefined && isIn(data, target),
    change: (isFollowed: boolean): void => (signedIn === false ? signIn() : mutate(isFollowed)),
  };
}
