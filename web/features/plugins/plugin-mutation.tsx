import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { PRAISE_LIKE, PRAISE_UNLIKE, SOURCES, type Source } from '../../../shared/constants.ts';
import type { Operation } from '../../../shared/contract.ts';
import type { PluginState } from '../../../shared/entities/plugin.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useFailureText } from '../../api/error-text.ts';
import { useOperationBy } from '../../api/use-operation.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { ArrivalContext } from './arrival.ts';
import { type Collected, readPendingCollect } from './collected.ts';
import { type FollowTarget, readPendingFollow } from './follow.ts';
import { SendPendingFollow } from './follow-button.tsx';
import { readPendingDialog } from './pending-dialog.ts';
import {
  type ChangingState,
  cancelPluginQueries,
  changePlugin,
  invalidatePlugins,
  stateOf,
} from './plugin-cache.ts';
import { useViewer } from './viewer-context.ts';

const NAMES = ['like', 'unlike', 'install', 'uninstall'] as const;

/** What goes with an install: the version whose permissions the visitor has seen, and where they came from. */
type Seen = { seenVersion?: string | undefined; source?: Source | undefined };

/** A change of a plugin. */
type PendingAction = { name: (typeof NAMES)[number]; pluginKey: string } & Seen;

/** Serializes a pending action, so that it survives leaving the page. */
export function pendingActionText({ name, pluginKey, seenVersion = '', source }: PendingAction): string {
  return [name, pluginKey, encodeURIComponent(seenVersion), source ?? ''].join(' ').trimEnd();
}

/** Parses the text of pendingActionText; undefined for any other text. */
export function readPendingAction(text: string): PendingAction | undefined {
  const [written = '', pluginKey = '', seenVersion = '', from = '', ...rest] = text.split(' ');
  const source = SOURCES.find((known) => known === from);
  const name = NAMES.find((known) => known === written);
  if (!name || pluginKey === '' || (from !== '' && !source) || rest.length > 0) return undefined;
  return {
    name,
    pluginKey,
    ...(seenVersion !== '' && { seenVersion: decodeURIComponent(seenVersion) }),
    ...(source && { source }),
  };
}

type PluginChange = {
  operation: Operation;
  /** Resolves with the plugin's state after the change. */
  send: (pluginKey: string, seen: Seen) => Promise<Partial<PluginState>>;
  /** The optimistic state; the same object when nothing changes. */
  optimistic: (before: ChangingState) => ChangingState;
  /** Messages of the namespace `toast` (R 4.4, R 4.5). */
  done: 'liked' | 'unliked' | 'installed' | 'uninstalled';
  failed: 'like_failed' | 'unlike_failed' | 'install_failed' | 'uninstall_failed';
};

const praised = (before: ChangingState, is_praise: 1 | -1): ChangingState =>
  before.is_praise === is_praise
    ? before
    : { ...before, is_praise, praise_count: Math.max(0, before.praise_count + is_praise) };

const withInstall = (before: ChangingState, is_installed: boolean): ChangingState =>
  before.is_installed === is_installed
    ? before
    : {
        ...before,
        is_installed,
        install_count: Math.max(0, before.install_count + (is_installed ? 1 : -1)),
      };

/** The changes of a plugin that a signed-in user can make. */
const CHANGES = {
  like: {
    operation: 'praisePlugin',
    send: (plugin_key) => call('praisePlugin', { plugin_key, praise: PRAISE_LIKE }),
    optimistic: (before) => praised(before, PRAISE_LIKE),
    done: 'liked',
    failed: 'like_failed',
  },
  unlike: {
    operation: 'praisePlugin',
    send: (plugin_key) => call('praisePlugin', { plugin_key, praise: PRAISE_UNLIKE }),
    optimistic: (before) => praised(before, PRAISE_UNLIKE),
    done: 'unliked',
    failed: 'unlike_failed',
  },
  install: {
    operation: 'installPlugin',
    send: (plugin_key, { seenVersion, source }) =>
      call('installPlugin', {
        plugin_key,
        ...(seenVersion !== undefined && { version: seenVersion }),
        ...(source && { source }),
      }),
    optimistic: (before) => withInstall(before, true),
    done: 'installed',
    failed: 'install_failed',
  },
  uninstall: {
    operation: 'uninstallPlugin',
    send: (plugin_key) => call('uninstallPlugin', { plugin_key }),
    optimistic: (before) => withInstall(before, false),
    done: 'uninstalled',
    failed: 'uninstall_failed',
  },
} as const satisfies Record<string, PluginChange>;

export type PluginChangeName = keyof typeof CHANGES;

type Variables = PendingAction & {
  /** Of the plugin, if known. */
  pluginName?: string | undefined;
  /** State on screen; undefined where the plugin isn't on screen. */
  before: ChangingState | undefined;
};

/** The last confirmed state of a plugin, and the pending changes, oldest first. */
type Queue = { confirmed: ChangingState | undefined; pending: readonly PluginChangeName[] };

const queueKey = (pluginKey: string) => ['pluginChanges', pluginKey] as const;

/** Shows the confirmed state with every pending change applied: a rollback never ends in an optimistic state. */
function applyPending(client: QueryClient, pluginKey: string, queue: Queue): void {
  const { confirmed, pending } = queue;
  if (pending.length > 0) client.setQueryData<Queue>(queueKey(pluginKey), queue);
  else client.removeQueries({ queryKey: queueKey(pluginKey) });
  if (confirmed)
    changePlugin(client, pluginKey, () =>
      pending.reduce((state, name) => CHANGES[name].optimistic(state), confirmed),
    );
}

/** Removes the oldest pending change; without a result it is rolled back. */
function settleOldest(client: QueryClient, pluginKey: string, answer?: Partial<PluginState>): void {
  const queue = client.getQueryData<Queue>(queueKey(pluginKey));
  const [name, ...pending] = queue?.pending ?? [];
  const before = queue?.confirmed;
  if (!name) return;
  if (before) {
    const confirmed = answer ? stateOf({ ...CHANGES[name].optimistic(before), ...answer }) : before;
    applyPending(client, pluginKey, { confirmed, pending });
    return;
  }
  applyPending(client, pluginKey, { confirmed: undefined, pending });
  if (answer) changePlugin(client, pluginKey, (shown) => stateOf({ ...shown, ...answer }));
}

/** Asks for sign-in with a reason; nobody signs in to undo something. */
function useSignInFor(pluginKey: string) {
  const t = useTranslations('session');
  const { startSignIn } = useViewer();
  return (name: PluginChangeName, seen: Seen, pluginName: string | undefined): void => {
    const isNamed = pluginName !== undefined && (name === 'like' || name === 'install');
    const title = isNamed ? t(`ask_${name}`, { name: pluginName }) : undefined;
    startSignIn(pendingActionText({ name, pluginKey, ...seen }), title);
  };
}

/**
 * Likes, unlikes, installs and uninstalls: optimistic, rolled back on failure, serialized per plugin by a scope, with a
 * toast. An expired session leads to sign-in (R 4.3).
 */
function usePluginMutation(pluginKey: string) {
  const client = useQueryClient();
  const showToast = useToast();
  const t = useTranslations('toast');
  const signIn = useSignInFor(pluginKey);
  const failureText = useFailureText();
  const settle = (before: ChangingState | undefined, answer?: Partial<PluginState>): void => {
    settleOldest(client, pluginKey, answer);
    if (!before) void invalidatePlugins(client);
  };
  const send = ({ name, seenVersion, source }: Variables): Promise<Partial<PluginState>> =>
    CHANGES[name].send(pluginKey, { seenVersion, source });
  return useOperationBy(({ name }) => CHANGES[name].operation, send, {
    mutationKey: ['plugin', pluginKey],
    scope: { id: `plugin ${pluginKey}` },
    done: (_answer, { name }) => t(CHANGES[name].done),
    onMutate: async ({ name, before }) => {
      await cancelPluginQueries(client);
      const queue = client.getQueryData<Queue>(queueKey(pluginKey)) ?? {
        confirmed: before && stateOf(before),
        pending: [],
      };
      applyPending(client, pluginKey, { ...queue, pending: [...queue.pending, name] });
    },
    onSuccess: (answer, { before }) => settle(before, answer),
    onError: (error, { name, seenVersion, source, pluginName, before }) => {
      settle(before);
      if (isUnauthenticated(error)) return signIn(name, { seenVersion, source }, pluginName);
      const isOutdated = name === 'install' && error.reason === 'CONFLICT';
      const text = isOutdated ? t('install_changed') : failureText(t(CHANGES[name].failed), error);
      showToast({ kind: 'failure', text });
    },
  });
}

/**
 * The changes of a plugin on screen. A visitor signs in first, and the change follows as a pending action.
 * @param seen version whose permissions the page shows
 */
export function usePluginChange(
  plugin: ChangingState & { plugin_key: string; name: string },
  seenVersion?: string,
) {
  const { plugin_key: pluginKey, name: pluginName } = plugin;
  const { signedIn } = useViewer();
  const signIn = useSignInFor(pluginKey);
  const { mutate, isPending } = usePluginMutation(pluginKey);
  const arrival = useContext(ArrivalContext);
  const change = (name: PluginChangeName): void => {
    const source = name === 'install' ? arrival?.().source : undefined;
    if (signedIn === false) signIn(name, { seenVersion, source }, pluginName);
    else mutate({ name, pluginKey, pluginName, seenVersion, source, before: plugin });
  };
  return { change, isPending };
}

/**
 * Carries out the pending action after sign-in (R 1.10). `take` returns it once, also to effects that run twice (Strict
 * Mode). Each change is idempotent, so one that is done already does no harm. What opens a dialog goes to its caller.
 */
export function RunPendingAction({
  take,
  onCollect,
  onOpen,
}: {
  take: () => string | undefined;
  onCollect: (plugin: Collected) => void;
  onOpen: (dialog: string) => void;
}) {
  const [action, setAction] = useState<PendingAction>();
  const [followed, setFollowed] = useState<FollowTarget>();
  const takeAction = useEffectEvent(() => {
    const text = take();
    if (text === undefined) return;
    setAction(readPendingAction(text));
    setFollowed(readPendingFollow(text));
    const collected = readPendingCollect(text);
    if (collected) onCollect(collected);
    const dialog = readPendingDialog(text);
    if (dialog) onOpen(dialog);
  });
  useEffect(() => takeAction(), []);
  if (followed) return <SendPendingFollow target={followed} />;
  return action && <SendPendingAction action={action} />;
}

function SendPendingAction({ action }: { action: PendingAction }) {
  const { mutate } = usePluginMutation(action.pluginKey);
  const isSent = useRef(false);
  const send = useEffectEvent(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate({ ...action, before: undefined });
  });
  useEffect(() => send(), []);
  return null;
}
