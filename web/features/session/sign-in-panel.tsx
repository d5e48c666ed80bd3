import { useTranslations } from 'use-intl';
import { useSite } from '../../api/site-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { FRAME_ABSENT, useSignIn, useSignInLink } from './ask-sign-in.ts';
import { failureText } from './failure-text.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in-panel.module.css';
import { signInUrl } from './sign-in-url.ts';

type SignInPanelProps = {
  /** The page to come back to. */
  here: string;
  /** Code of a failed attempt, if there was one. */
  failure: string | undefined;
  onFail: (code: string) => void;
  onSignedIn: () => void;
  onLeave: () => void;
};

/**
 * Sign-in where it was asked for, in a frame if the login host allows that; else, and after a failure, the ways to its
 * page or window (specification section 6).
 */
export function SignInPanel({ here, failure, onFail, onSignedIn, onLeave }: SignInPanelProps) {
  const t = useTranslations('session');
  const { login_frame, sign_up } = useSite();
  const { openWindow } = useSignIn();
  const link = useSignInLink();
  const reason = failure === undefined ? 'ask_text' : failureText(failure);
  const isFramed = login_frame && !openWindow && failure === undefined;
  return (
    <>
      <p key={reason} className={styles.text} role={failure === undefined ? undefined : 'alert'}>
        {t(reason)}
      </p>
      {isFramed ? (
        <>
          <SignInFrame
            here={here}
            onAbsent={() => onFail(FRAME_ABSENT)}
            onFail={onFail}
            onSignedIn={onSignedIn}
            onLeave={onLeave}
          />
          <p className={styles.other}>
            <span>{t('frame_trouble')}</span>
            <a className={styles.link} href={signInUrl(here)}>
              {t('full_page')}
            </a>
          </p>
        </>
      ) : (
        <div className={styles.actions}>
          <a
            ref={failure === undefined ? undefined : focus}
            className={buttonClass({ variant: 'primary', size: 'l' })}
            {...link()}
          >
            {t('sign_in')}
          </a>
          {sign_up && (
            <a className={buttonClass({ variant: 'outline', size: 'l' })} {...link({ signUp: true })}>
              {t('sign_up')}
            </a>
          )}
        </div>
      )}
    </>
  );
}

/** The frame that had the focus is gone. */
function focus(link: HTMLAnchorElement | null): void {
  link?.focus();
}
