import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import styles from './keys.module.css';
import { KeysDialog } from './keys-dialog.tsx';
import { type Keys, useKeys } from './use-keys.ts';
import { useKeysWanted } from './use-keys-wanted.ts';

export type Command = { key: string; text: string; action?: (() => void) | undefined };

type Props = {
  /** What each key does; one without an action is told of, but does it by itself. */
  commands: readonly Command[];
  /** Something lies over the page, which has its own keys. */
  isCovered: boolean;
};

/** Makes the commands of a page its keys, and shows them; "?" does that too. */
export function KeysButton({ commands, isCovered }: Props) {
  const t = useTranslations('review');
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, want] = useKeysWanted();
  const keys: Keys = {
    ...Object.fromEntries(commands.map(({ key, action }) => [key, action])),
    '?': () => setIsOpen(true),
  };
  useKeys(keys, wanted && !isCovered && !isOpen);
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
        wanted={wanted}
        onWant={want}
      />
    </>
  );
}
