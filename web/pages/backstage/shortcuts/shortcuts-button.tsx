import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import styles from './shortcuts.module.css';
import { type Keys, useHotkeys, useHotkeysEnabled } from './use-hotkeys.ts';

type Command = { key: string; text: string; action?: (() => void) | undefined };

type Props = {
  /** The action of each key; one without an action is only listed, as its key works by itself. */
  commands: readonly Command[];
  /** An overlay with its own keys covers the page. */
  isCovered: boolean;
};

/** Binds single keys to a page's commands and lists them; "?" opens the list too. */
export function ShortcutsButton({ commands, isCovered }: Props) {
  const t = useTranslations('review');
  const [isOpen, setIsOpen] = useState(false);
  const [enabled, setEnabled] = useHotkeysEnabled();
  const keys: Keys = {
    ...Object.fromEntries(commands.map(({ key, action }) => [key, action])),
    '?': () => setIsOpen(true),
  };
  useHotkeys(keys, enabled && !isCovered && !isOpen);
  return (
    <>
      <Button
        variant="quiet"
        size="s"
        className={styles.show}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('keys_show')}
      </Button>
      <KeysDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        keys={[...commands, { key: '?', text: t('key_help') }]}
        enabled={enabled}
        onEnable={setEnabled}
      />
    </>
  );
}

type DialogProps = {
  open: boolean;
  onClose: () => void;
  keys: readonly Command[];
  enabled: boolean;
  onEnable: (enabled: boolean) => void;
};

function KeysDialog({ open, onClose, keys, enabled, onEnable }: DialogProps) {
  const t = useTranslations('review');
  const common = useTranslations('common');
  return (
    <Dialog open={open} onClose={onClose} title={t('keys_title')} closeLabel={common('close')}>
      <dl className={styles.keys}>
        {keys.map(({ key, text }) => (
          <div key={key} className={styles.line}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Switch label={t('keys_wanted')} hint={t('keys_hint')} checked={enabled} onChange={onEnable} />
    </Dialog>
  );
}
