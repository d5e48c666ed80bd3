import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSite } from '../../api/site-context.ts';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner/spinner.tsx';
import { readFrameMessage } from './frame-message.ts';
import styles from './sign-in-frame.module.css';
import { signInUrl } from './sign-in-url.ts';

type SignInFrameProps = {
  here: string;
  /** No sign-in page came up. */
  onAbsent: () => void;
  onFail: (code: string) => void;
  onSignedIn: () => void;
  /** Escape was pressed inside. */
  onLeave: () => void;
};

/** Milliseconds after which a frame that shows nothing is given up. */
const PATIENCE = 10_000;

/** The login page in a frame. What it has to tell comes as messages of our own origin, from this frame alone. */
export function SignInFrame({ here, onAbsent, onFail, onSignedIn, onLeave }: SignInFrameProps) {
  const t = useTranslations('session');
  const { login_origin } = useSite();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isShown, setShown] = useState(false);
  /** CSS pixels, where the page inside says how high it is. */
  const [height, setHeight] = useState<number>();
  const giveUp = useEffectEvent(onAbsent);
  const hear = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (origin !== location.origin || source !== frame.current?.contentWindow) return;
    const message = readFrameMessage(data);
    if (message?.kind === 'signed-in') onSignedIn();
    if (message?.kind === 'failed') onFail(message.code);
    if (message?.kind === 'left') onLeave();
    if (message?.kind === 'shown') setHeight(message.height);
  });

  useEffect(() => {
    const listener = (event: MessageEvent): void => hear(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);
  useEffect(() => {
    if (isShown) return;
    const timer = setTimeout(() => giveUp(), PATIENCE);
    return () => clearTimeout(timer);
  }, [isShown]);

  const onLoad = (): void => {
    // A page of ours that this one may not look into is a refusal that the browser shows in its place.
    const isRefused = login_origin === location.origin && !frame.current?.contentDocument;
    if (isRefused) onAbsent();
    else setShown(true);
  };
  return (
    <div className={styles.place} aria-busy={!isShown}>
      {!isShown && (
        <span className={styles.wait}>
          <Spinner />
        </span>
      )}
      <iframe
        ref={frame}
        className={classNames(styles.frame, isShown && styles.shown)}
        src={signInUrl(here, { mode: 'auth' })}
        title={t('frame_title')}
        style={height === undefined ? undefined : { height }}
        onLoad={onLoad}
      />
    </div>
  );
}
