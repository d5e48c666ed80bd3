import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIsInTool } from '../../api/in-tool.ts';
import { useSite } from '../../api/site-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { classNames } from '../../ui/class-names.ts';
import { DialogWindow } from '../../ui/dialog/dialog-window.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { FRAME_BLOCKED, failureText, useSignIn, useSignInLink } from './ask-sign-in.ts';
import { readFrameMessage } from './frame-message.ts';
import signInFrameStyles from './sign-in-frame.module.css';
import styles from './sign-in-panel.module.css';
import { signInUrl } from './sign-in-url.ts';
import { type OpenedWindow, SignInWindow } from './sign-in-window.tsx';

type Props = {
  open: boolean;
  /** Reason for the sign-in. */
  title: string;
  /** The page to return to. */
  here: string;
  opened: OpenedWindow | undefined;
  /** Error code of a failed attempt. */
  failure: string | undefined;
  /** The dialog is on screen, also while it closes. */
  onShown: (isShown: boolean) => void;
  onFail: (code: string) => void;
  /** Checks the session after a possible sign-in; rejects without one. */
  onSignedIn: () => Promise<unknown>;
  onClose: () => void;
};

/** The sign-in dialog; its code is preloaded. */
export function SignInDialogWindow({ open, title, here, opened, failure, onShown, ...handlers }: Props) {
  const common = useTranslations('common');
  const { onFail, onSignedIn, onClose } = handlers;
  const [step, setStep] = useState<string>();
  return (
    <DialogWindow open={open} onClose={onClose} title={step ?? title} closeLabel={common('close')}>
      <Presence onChange={onShown} />
      {opened ? (
        <SignInWindow here={here} opened={opened} onSignedIn={onSignedIn} onLeave={onClose} />
      ) : (
        <SignInPanel
          here={here}
          failure={failure}
          onStep={setStep}
          onFail={onFail}
          onSignedIn={() => void onSignedIn().catch(() => onFail('NO_LOCAL_SESSION'))}
          onLeave={onClose}
        />
      )}
    </DialogWindow>
  );
}

/** Reports that it is in the document, and that it has left it. */
function Presence({ onChange }: { onChange: (isPresent: boolean) => void }) {
  useLayoutEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}

type SignInPanelProps = {
  /** The page to return to. */
  here: string;
  /** Error code of a failed attempt. */
  failure: string | undefined;
  /** The frame shows this step; undefined for the sign-in itself. */
  onStep: (step: string | undefined) => void;
  onFail: (code: string) => void;
  onSignedIn: () => void;
  onLeave: () => void;
};

/**
 * Sign-in in a frame if the login host allows it; otherwise, and after a failure, links to its page or window
 * (R 1.8).
 */
function SignInPanel({ here, failure: failed, onStep, onFail, onSignedIn, onLeave }: SignInPanelProps) {
  const t = useTranslations('session');
  const { login_frame, sign_up } = useSite();
  const { openWindow } = useSignIn();
  const link = useSignInLink();
  const isInTool = useIsInTool();
  // The session's cookie needs https.
  const isImpossible = isInTool && (!login_frame || location.protocol !== 'https:');
  const failure = failed ?? (isImpossible ? FRAME_BLOCKED : undefined);
  const isFramed = login_frame && !openWindow && failure === undefined;
  return (
    <>
      {failure === undefined ? (
        <p className={styles.text}>{t('ask_text')}</p>
      ) : (
        <div key={failure} className={styles.problem} role="alert">
          <CircleAlertIcon />
          <p>{t(isInTool && failure === FRAME_BLOCKED ? 'not_here' : failureText(failure))}</p>
        </div>
      )}
      {isFramed ? (
        <SignInFrame
          here={here}
          onStep={onStep}
          onAbsent={() => onFail(FRAME_BLOCKED)}
          onFail={onFail}
          onSignedIn={onSignedIn}
          onLeave={onLeave}
        />
      ) : isInTool && failure === FRAME_BLOCKED ? (
        <a
          className={buttonClass({ variant: 'primary', size: 'l' })}
          href={here}
          target="_blank"
          rel="noopener"
        >
          {t('new_tab')}
        </a>
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

/** The focused frame was removed. */
function focus(link: HTMLAnchorElement | null): void {
  link?.focus();
}

type SignInFrameProps = {
  here: string;
  onStep: (step: string | undefined) => void;
  /** No sign-in page appeared. */
  onAbsent: () => void;
  onFail: (code: string) => void;
  onSignedIn: () => void;
  /** Escape was pressed inside. */
  onLeave: () => void;
};

/** Milliseconds after which a blank frame counts as slow, and as failed. */
const SLOW_MS = 3000;
const GIVE_UP_MS = 10_000;

/** The login page in a frame. Only messages of our own origin from this frame are accepted. */
function SignInFrame({ here, onStep, onAbsent, onFail, onSignedIn, onLeave }: SignInFrameProps) {
  const t = useTranslations('session');
  const { login_origin } = useSite();
  const isInTool = useIsInTool();
  const frame = useRef<HTMLIFrameElement>(null);
  const isOwn = login_origin === location.origin;
  const [isShown, setShown] = useState(false);
  /** A foreign page has gone, and a blank one of ours is in its place; our own stays until the dialog closes. */
  const [isOver, setOver] = useState(false);
  const [isSlow, setSlow] = useState(false);
  /** Height of the page inside in CSS pixels, if known. */
  const [height, setHeight] = useState<number>();
  const giveUp = useEffectEvent(onAbsent);
  const onMessage = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== location.origin || source !== frame.current?.contentWindow) return;
    const message = readFrameMessage(data);
    if (message?.kind === 'signed-in') {
      setOver(!isOwn);
      onSignedIn();
    }
    if (message?.kind === 'failed') onFail(message.code);
    if (message?.kind === 'left') onLeave();
    if (message?.kind !== 'shown') return;
    setHeight(message.height);
    onStep(message.step);
  });
  const onRemoved = useEffectEvent(() => onStep(undefined));
  useEffect(() => () => onRemoved(), []);

  useEffect(() => {
    const listener = (event: MessageEvent): void => onMessage(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);
  useEffect(() => {
    if (isShown) return;
    const timers = [setTimeout(() => setSlow(true), SLOW_MS), setTimeout(() => giveUp(), GIVE_UP_MS)];
    return () => timers.forEach(clearTimeout);
  }, [isShown]);

  const isSized = !isOwn || height !== undefined;
  const isVisible = isShown && isSized && !isOver;
  const onLoad = (): void => {
    // A page of ours that can't be accessed is the browser's error page for a refused frame.
    const isRefused = isOwn && !frame.current?.contentDocument;
    if (isRefused) onAbsent();
    else setShown(true);
  };
  return (
    <>
      <div className={signInFrameStyles.place} aria-busy={!isShown || isOver}>
        {!isVisible && <FormSkeleton />}
        <iframe
          ref={frame}
          className={classNames(signInFrameStyles.frame, isVisible && signInFrameStyles.shown)}
          src={signInUrl(here, { mode: 'auth' })}
          title={t('frame_title')}
          style={height === undefined ? undefined : { height }}
          onLoad={onLoad}
        />
      </div>
      {!isInTool && (
        <p className={styles.other}>
          <span role="status">{t(isSlow && !isShown ? 'frame_slow' : 'frame_trouble')}</span>
          <a className={styles.link} href={signInUrl(here)}>
            {t('full_page')}
          </a>
        </p>
      )}
    </>
  );
}

/** A skeleton as large as the form. */
function FormSkeleton() {
  const { sign_up } = useSite();
  return (
    <div className={signInFrameStyles.form} aria-hidden="true">
      {sign_up && <Skeleton className={signInFrameStyles.line} />}
      <Skeleton className={signInFrameStyles.label} />
      <Skeleton shape="block" className={signInFrameStyles.field} />
      <Skeleton className={signInFrameStyles.label} />
      <Skeleton shape="block" className={signInFrameStyles.field} />
      <Skeleton shape="block" className={signInFrameStyles.submit} />
      <Skeleton className={signInFrameStyles.forgot} />
    </div>
  );
}
