import PlayIcon from 'lucide-react/icons/play';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { useSite } from '../../api/site-context.ts';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Button } from '../../ui/button/button.tsx';

const playground = lazyWithRetry(async () => (await import('./playground.tsx')).Playground);

/**
 * Runs a plugin on a sample file without installing it. Nothing where the site has no origin for it, or the visitor cannot get
 * the package. A plugin that is not public can be tried by its publisher after a test install.
 */
export function TryButton({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('playground');
  const { playground_origin: origin } = useSite();
  const [isOpen, setIsOpen] = useState(false);
  const { digest, name, unpublished, is_installed } = plugin;
  const isForAll = !unpublished;
  const isOwnTrial = unpublished !== 'withdrawn' && is_installed;
  if (origin === undefined || !digest || !(isForAll || isOwnTrial)) return null;
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button variant="outline" size="l" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <PlayIcon />
        {t('try')}
      </Button>
      {isOpen && (
        <Lazy part={playground} onFailed={close}>
          {(Playground) => <Playground origin={origin} digest={digest} name={name} onClose={close} />}
        </Lazy>
      )}
    </>
  );
}
