import CheckIcon from 'lucide-react/icons/check';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH, SIGN_IN_LEFT_MESSAGE, SIGN_IN_SHOWN_MESSAGE } from '../../../shared/constants.ts';
import { PreferenceMenus } from '../../features/preferences/preference-menus.tsx';
import { BrandMark, useSiteName } from '../../layout/brand-mark.tsx';
import styles from './sign-in-frame.module.css';

type SignInPageFrameProps = {
  /** Inside a frame of another page, which has its own heading and links. */
  compact?: boolean;
  /** Name of a step beside or after the sign-in, which the dialog around a frame shows as its title. */
  step?: string | undefined;
  children?: ReactNode;
};

/** The layout of the sign-in page: site name, language, colour scheme, and the benefits of an account. */
export function SignInPageFrame({ compact = false, step, children }: SignInPageFrameProps) {
  const name = useSiteName();
  if (compact) return <CompactFrame step={step}>{children}</CompactFrame>;
  return (
    <div className={styles.frame}>
      <div className={styles.side}>
        <header className={styles.header}>
          <a className={styles.brand} href={BASE_PATH}>
            <BrandMark />
            {name}
          </a>
          <div className={styles.tools}>
            <PreferenceMenus />
          </div>
        </header>
        <main className={styles.main}>
          <div className={styles.column}>{children}</div>
        </main>
      </div>
      <SignInAside />
    </div>
  );
}

const POINTS = ['aside_install', 'aside_like', 'aside_access'] as const;

/** The panel beside the form, on wide screens. */
function SignInAside() {
  const t = useTranslations('signIn');
  return (
    <aside className={styles.aside}>
      <TilePattern className={styles.pattern} />
      <div className={styles.words}>
        <p className={styles.title}>{t('aside_title')}</p>
        <ul className={styles.points}>
          {POINTS.map((point) => (
            <li key={point} className={styles.point}>
              <span className={styles.check}>
                <CheckIcon size={14} />
              </span>
              {t(point)}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}

/**
 * Only the form, for the frame of a sign-in dialog: posts its height, its step and the Escape key to the page around it,
 * if that is one of ours.
 */
function CompactFrame({ step, children }: Omit<SignInPageFrameProps, 'compact'>) {
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = content;
    if (!current || window.parent === window) return;
    const post = (message: object): void => window.parent.postMessage(message, location.origin);
    const size = new ResizeObserver(() =>
      post({ type: SIGN_IN_SHOWN_MESSAGE, height: current.getBoundingClientRect().height, step }),
    );
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing) post({ type: SIGN_IN_LEFT_MESSAGE });
    };
    size.observe(current);
    addEventListener('keydown', leave);
    return () => {
      size.disconnect();
      removeEventListener('keydown', leave);
    };
  }, [step]);
  return (
    <div className={styles.ground}>
      <main ref={content} className={styles.form}>
        {children}
      </main>
    </div>
  );
}

const SIZE = 84;
const STEP = 100;

type Tile = { column: number; row: number; look: 'faint' | 'soft' | 'bright'; shape: string };

/** Positions and pictures of the blocks, in a field of 600 by 500. */
const TILES: readonly Tile[] = [
  { column: 1, row: 0, look: 'faint', shape: '' },
  { column: 3, row: 0, look: 'soft', shape: 'M27 42h30M42 27v30' },
  { column: 4, row: 0, look: 'faint', shape: '' },
  { column: 5, row: 0, look: 'soft', shape: 'M28 54 38 42l8 8 12-18' },
  { column: 2, row: 1, look: 'soft', shape: 'M30 30h24v24H30z' },
  { column: 3, row: 1, look: 'bright', shape: 'M42 24v22M32 37l10 10 10-10M26 58h32' },
  { column: 5, row: 1, look: 'faint', shape: '' },
  { column: 4, row: 2, look: 'soft', shape: 'M42 27a15 15 0 1 1-.1 0M42 34v9l6 4' },
  { column: 5, row: 2, look: 'bright', shape: 'M30 42l9 9 16-19' },
  { column: 2, row: 2, look: 'faint', shape: '' },
  { column: 4, row: 3, look: 'faint', shape: '' },
  { column: 5, row: 3, look: 'faint', shape: '' },
];

/** Animated blocks, purely decorative. */
function TilePattern({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 600 500" fill="none" aria-hidden="true" focusable="false">
      {TILES.map(({ column, row, look, shape }) => (
        <g
          key={`${column}-${row}`}
          className={styles[look]}
          transform={`translate(${column * STEP} ${row * STEP})`}
        >
          <rect className={styles.block} x={8} y={8} width={SIZE} height={SIZE} rx={22} />
          {shape !== '' && <path className={styles.sign} transform="translate(8 8)" d={shape} />}
        </g>
      ))}
    </svg>
  );
}
