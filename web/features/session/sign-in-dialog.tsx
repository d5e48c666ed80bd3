import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { useIsInTool } from '../../api/in-tool.ts';
import { useLatestSearchParams } from '../../api/latest-location.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { leavePage } from '../../loading/connection.ts';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { onFirstInteraction } from '../../ui/first-interaction.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { FRAME_BLOCKED, SignInContext } from './ask-sign-in.ts';
import { createAuthClient } from './auth-client.ts';
import { readFrameMessage } from './frame-message.ts';
import { deletePendingAction, isMark, storePendingAction } from './pending-action-storage.ts';
import { type SignInOptions, signInUrl } from './sign-in-url.ts';
import type { OpenedWindow } from './sign-in-window.tsx';
import { useSession } from './use-session.ts';

const signInDialogWindow = lazyWithRetry(
  async () => (await import('./sign-in-dialog-window.tsx')).SignInDialogWindow,
);

/** Provides useSignIn and renders its dialog, also after a failed sign-in. */
export function SignInDialog({ children }: { children: ReactNode }) {
  const t = useTranslations('session');
  const client = useQueryClient();
  const toast = useToast();
  const { deploy_type, sign_in_window: usesWindow } = useSite();
  const isInTool = useIsInTool();
  const sign_in_window = usesWindow && !isInTool;
  const { pathname, search, hash } = useLocation();
  const signedIn = useSession().status === 'signed-in';
  const [open, setOpen] = useState(false);
  const [isShown, setIsShown] = useState(false);
  /** Error code of a failed attempt. */
  const [failure, setFailure] = useState<string>();
  const [opened, setOpened] = useState<OpenedWindow>();
  const [mark, setMark] = useState('');
  const [answered, setAnswered] = useState(() => {
    const hasFailed = new URLSearchParams(search).has(LOGIN_ERROR_PARAMETER);
    return isMark(hash) && !hasFailed ? hash : '';
  });
  const [purpose, setPurpose] = useState<string>();
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  const here = `${pathname}${search}`;
  const [auth] = useState(() =>
    createAuthClient({
      readSession: () => client.fetchQuery({ ...queryOptionsOf('readSession', {}), staleTime: 0 }),
    }),
  );
  const ask = useCallback(
    (pendingAction?: string, title?: string) => {
      if (pendingAction === undefined) deletePendingAction();
      const next = pendingAction === undefined ? '' : storePendingAction(pendingAction, Date.now());
      if (isPrivate(deploy_type) && !isInTool)
        return leavePage(() => location.assign(signInUrl(here + next)));
      setMark(next);
      setFailure(undefined);
      setPurpose(title);
      setOpen(true);
    },
    [deploy_type, here, isInTool],
  );
  const openWindow = useCallback(
    (options: SignInOptions) => {
      const { outerWidth, outerHeight, screenX, screenY } = window;
      const place = `left=${screenX + (outerWidth - WIDTH) / 2},top=${screenY + (outerHeight - HEIGHT) / 2}`;
      const address = auth.signInUrl({ ...options, mode: 'popup' });
      const next = window.open(address, WINDOW_NAME, `popup,width=${WIDTH},height=${HEIGHT},${place}`);
      setOpened(!next || next.closed ? 'blocked' : next);
      setFailure(undefined);
      setOpen(true);
    },
    [auth],
  );
  const fail = (code: string): void => {
    setOpened(undefined);
    setFailure(code);
    setOpen(true);
  };
  useLoginError(fail);
  useMarkRemoval();
  // A pointer or key event precedes the click that asks for sign-in, so that the dialog is loaded in time.
  useEffect(() => (signedIn ? undefined : onFirstInteraction(signInDialogWindow.preload)), [signedIn]);
  const close = (): void => {
    deletePendingAction();
    setMark('');
    setOpened(undefined);
    setOpen(false);
  };
  const handleReturn = useEffectEvent(() => {
    if (opened) toast({ kind: 'success', text: t('signed_in') });
    setOpened(undefined);
    setOpen(false);
    // Several messages may tell of one sign-in: a later one, while the dialog closes, has no mark.
    if (mark === '') return;
    setAnswered(mark);
    setMark('');
  });
  useEffect(() => {
    auth.init({ redirect_url: here }, () => handleReturn());
  }, [auth, here]);
  /** A window of this site may still be open from before this page was reloaded. */
  const onMessage = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    const isWindow = source !== null && 'parent' in source && source.parent === source;
    const message = origin === location.origin && isWindow ? readFrameMessage(data) : undefined;
    if (message?.kind === 'failed') fail(message.code);
    if (message?.kind !== 'signed-in') return;
    if (opened || !client.getQueryData(queryOptionsOf('readSession', {}).queryKey)?.signed_in)
      auth.validate().catch(() => undefined);
  });
  useEffect(() => {
    if (!sign_in_window) return;
    const listener = (event: MessageEvent): void => onMessage(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, [sign_in_window]);
  const signIn = useMemo(
    () => ({
      ask,
      openWindow: sign_in_window ? openWindow : undefined,
      isOpen: open || isShown,
      failure: failure ?? null,
      mark,
      answered,
    }),
    [ask, sign_in_window, openWindow, open, isShown, failure, mark, answered],
  );
  const isFailed = failure !== undefined && failure !== FRAME_BLOCKED;
  return (
    <SignInContext value={signIn}>
      {children}
      {wanted && (
        <Lazy
          part={signInDialogWindow}
          onFailed={() => {
            setWanted(false);
            setOpen(false);
          }}
        >
          {(SignInDialogWindow) => (
            <SignInDialogWindow
              open={open}
              title={isFailed ? t('failed_title') : (purpose ?? t('sign_in'))}
              here={here + mark}
              opened={opened}
              failure={failure}
              onShown={setIsShown}
              onFail={setFailure}
              onSignedIn={auth.validate}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </SignInContext>
  );
}

/** Removes the mark of a sign-in from the URL; what it answers is kept by then. */
function useMarkRemoval(): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (isMark(hash)) void navigate({ pathname, search }, { replace: true, state, preventScrollReset: true });
  }, [navigate, pathname, search, hash, state]);
}

/** Features of the sign-in window; its size in CSS pixels. */
const WINDOW_NAME = 'plugin-square-sign-in';
const WIDTH = 480;
const HEIGHT = 720;

/** Reads the error code of a failed sign-in once and removes it from the URL. */
function useLoginError(onCode: (code: string) => void): void {
  const [query, setQuery] = useLatestSearchParams();
  const code = query.get(LOGIN_ERROR_PARAMETER);
  const onFailed = useEffectEvent((failure: string) => {
    onCode(failure);
    setQuery((current) => current.delete(LOGIN_ERROR_PARAMETER), { replace: true });
  });
  useEffect(() => {
    if (code !== null) onFailed(code);
  }, [code]);
}
