import PlayIcon from 'lucide-react/icons/play';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSite } from '../../api/site-context.ts';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Button } from '../../ui/button/button.tsx';
import type { PlaygroundProps } from './playground.tsx';

const playground = lazyWithRetry(async () => (await import('./playground.tsx')).Playground);

type TryButtonProps = Omit<PlaygroundProps, 'origin' | 'onClose'> & { size?: 'm' | 'l' };

/** Runs a package on a sample file without installing it. Nothing where the site has no origin for it. */
export function TryButton({ size = 'm', ...tried }: TryButtonProps) {
  const t = useTranslations('playground');
  const { playground_origin: origin } = useSite();
  const [isOpen, setIsOpen] = useState(false);
  if (origin === undefined) return null;
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button variant="outline" size={size} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <PlayIcon />
        {t('try')}
      </Button>
      {isOpen && (
        <Lazy part={playground} onFailed={close}>
          {(Playground) => <Playground {...tried} origin={origin} onClose={close} />}
        </Lazy>
      )}
    </>
  );
}
