import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import styles from './notice.module.css';

type NoticeProps = {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** `h1` where the notice is the whole page. */
  as?: 'p' | 'h1';
  /** Announces title and text when they appear, but not the action. */
  live?: 'status' | 'alert';
};

/** A placeholder for content: icon, sentence, action. */
export function Notice({ icon, title, text, action, as: Title = 'p', live }: NoticeProps) {
  return (
    <div className={styles.notice}>
      <span className={styles.icon}>{icon}</span>
      <div role={live}>
        <Title className={styles.title}>{title}</Title>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

type ErrorNoticeProps = {
  title: string;
  text?: string;
  retryLabel: string;
  onRetry: () => void;
  busy?: boolean;
};

/** A load error, announced, with a retry button. */
export function ErrorNotice({ title, text, retryLabel, onRetry, busy = false }: ErrorNoticeProps) {
  return (
    <Notice
      live="alert"
      icon={<CircleAlertIcon size={22} />}
      title={title}
      text={text}
      action={
        <Button variant="outline" busy={busy} onClick={onRetry}>
          {!busy && <RefreshCwIcon />}
          {retryLabel}
        </Button>
      }
    />
  );
}
