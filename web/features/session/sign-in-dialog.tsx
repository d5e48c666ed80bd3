import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { SESSION_KEY } from '../../api/query-client.ts';
import { useSite } from '../../api/site-context.ts';
import { useLocation } from '../../routing/router-context.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FRAME_ABSENT, SignInContext } from './ask-sign-in.ts';
import { signInUrl } from './sign-in-url.ts';
import { forgetUnfinished, keepUnfinished } from './unfinished.ts';
import { useLoginError } from './use-login-error.ts';

const SignInPanel = lazy(async () => ({ default: (await import('./sign-in-panel.tsx')).SignInPanel }));

/** Provides useSignIn to what is inside, and shows its dialog; also after a sign-in that did not work. */
export function SignInDialog({ children }: { children: ReactNode }) {
  const t = useTranslations('session');
  const client = useQueryClient();
  const { deploy_type } = useSite();
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(false);
  /** Code of a failed attempt. */
  const [failure, setFailure] = useState<string>();
  const [arrivals, setArrivals] = useState(0);
  const here = `${pathname}${search}`;
  const ask = useCallback(
    (unfinished?: string) => {
      if (unfinished === undefined) forgetUnfinished();
      else keepUnfinished(unfinished, Date.now());
      if (isPrivate(deploy_type)) return location.assign(signInUrl(here));
      setFailure(undefined);
      setOpen(true);
    },
    [deploy_type, here],
  );
  useLoginError((code) => {
    setFailure(code);
    setOpen(true);
  });
  const close = (): void => {
    forgetUnfinished();
    setOpen(false);
  };
  const arrive = async (): Promise<void> => {
    setOpen(false);
    await client.invalidateQueries({ queryKey: SESSION_KEY });
    setArrivals((before) => before + 1);
  };
  const signIn = useMemo(() => ({ ask, failure: failure ?? null, arrivals }), [ask, failure, arrivals]);
  return (
    <SignInContext value={signIn}>
      {children}
      <Dialog
        open={open}
        onClose={close}
        title={t(failure === undefined || failure === FRAME_ABSENT ? 'ask_title' : 'failed_title')}
        closeLabel={t('close')}
      >
        <Suspense fallback={null}>
          <SignInPanel
            here={here}
            failure={failure}
            onFail={setFailure}
            onSignedIn={() => void arrive()}
            onLeave={close}
          />
        </Suspense>
      </Dialog>
    </SignInContext>
  );
}
