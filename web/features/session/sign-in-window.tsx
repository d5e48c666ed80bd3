import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { SIGN_IN_CHANNEL, SIGNED_IN_HEARD_MESSAGE } from '../../../shared/constants.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { useSignInLink } from './ask-sign-in.ts';
import { readFrameMessage } from './frame-message.ts';
import styles from './sign-in-panel.module.css';
import { signInUrl } from './sign-in-url.ts';

/** The state of the sign-in window. */
export type OpenedWindow = Window | 'blocked';

type Props = {
  here: string;
  opened: OpenedWindow;
  /** Checks the session after a possible sign-in; rejects without one. */
  onSignedIn: () => Promise<unknown>;
  onLeave: () => void;
};

/** Milliseconds between checks of the window, as no event reports that it was closed. */
const POLL_MS = 500;
/** Milliseconds to read why the login page replaces this one. */
const BLOCKED_FOR = 5000;

/** Shown in the dialog while the user signs in with another window. */
export function SignInWindow({ opened, ...rest }: Props) {
  return opened === 'blocked' ? <Blocked {...rest} /> : <Waiting opened={opened} {...rest} />;
}

function Waiting({ here, opened, onSignedIn }: Props & { opened: Window }) {
  const t = useTranslations('session');
  const link = useSignInLink();
  const [closedWindow, setClosedWindow] = useState<Window>();
  const checkSession = useEffectEvent(onSignedIn);
  useEffect(() => {
    const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
    channel.onmessage = ({ data }) => {
      if (readFrameMessage(data)?.kind !== 'signed-in') return;
      channel.postMessage({ type: SIGNED_IN_HEARD_MESSAGE });
      checkSession().catch(() => undefined);
    };
    const timer = setInterval(() => {
      if (!opened.closed) return;
      clearInterval(timer);
      checkSession().catch(() => setClosedWindow(opened));
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      channel.close();
    };
  }, [opened]);
  const onPage = (
    <a className={buttonClass({ variant: 'outline', size: 'l' })} href={signInUrl(here)}>
      {t('full_page')}
    </a>
  );
  return closedWindow === opened ? (
    <>
      <p className={styles.text} role="alert">
        {t('window_closed')}
      </p>
      <div className={styles.actions}>
        <a ref={focus} className={buttonClass({ variant: 'primary', size: 'l' })} {...link()}>
          {t('sign_in')}
        </a>
        {onPage}
      </div>
    </>
  ) : (
    <>
      <p className={styles.text} role="status">
        {t('window_open')}
      </p>
      <div className={styles.actions}>
        <Button variant="primary" size="l" onClick={() => opened.focus()}>
          {t('window_show')}
        </Button>
        {onPage}
      </div>
    </>
  );
}

/** The window was blocked: the login page replaces this one, unless the user cancels. */
function Blocked({ here, onLeave }: Omit<Props, 'opened'>) {
  const t = useTranslations('session');
  const address = signInUrl(here);
  useEffect(() => {
    const timer = setTimeout(() => location.assign(address), BLOCKED_FOR);
    return () => clearTimeout(timer);
  }, [address]);
  return (
    <>
      <p className={styles.text} role="alert">
        {t('window_blocked')}
      </p>
      <div className={styles.actions}>
        <a ref={focus} className={buttonClass({ variant: 'primary', size: 'l' })} href={address}>
          {t('full_page')}
        </a>
        <Button variant="outline" size="l" onClick={onLeave}>
          {t('window_stay')}
        </Button>
      </div>
    </>
  );
}

function focus(link: HTMLAnchorElement | null): void {
  link?.focus();
}
