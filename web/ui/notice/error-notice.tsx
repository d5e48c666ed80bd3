import { Button } from '../button/button.tsx';
import { RefreshIcon } from '../icon/action-icons.tsx';
import { AlertIcon } from '../icon/state-icons.tsx';
import { Notice } from './notice.tsx';

type ErrorNoticeProps = {
  title: string;
  text?: string;
  retryLabel: string;
  onRetry: () => void;
  busy?: boolean;
};

/** Something could not be loaded: says so, heard too, and offers to try again. */
export function ErrorNotice({ title, text, retryLabel, onRetry, busy = false }: ErrorNoticeProps) {
  return (
    <Notice
      live="alert"
      icon={<AlertIcon size={22} />}
      title={title}
      text={text}
      action={
        <Button variant="outline" busy={busy} onClick={onRetry}>
          {!busy && <RefreshIcon />}
          {retryLabel}
        </Button>
      }
    />
  );
}
