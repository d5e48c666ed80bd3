import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ChevronDownIcon } from '../../../ui/icon/arrow-icons.tsx';
import { VersionEntry } from './version-entry.tsx';
import styles from './version-history.module.css';

type VersionListProps = {
  versions: readonly PluginVersion[];
  /** How many are shown before more are asked for. */
  shownAtFirst: number;
  /** What can be done with a version, by those who may. */
  controls?: ((version: PluginVersion) => ReactNode) | undefined;
};

/** Versions one below the other, the earlier ones folded away. */
export function VersionList({ versions, shownAtFirst, controls }: VersionListProps) {
  const t = useTranslations('plugin');
  const id = useId();
  const [whole, setWhole] = useState(false);
  const folded = versions.length - shownAtFirst;
  return (
    <>
      <ol id={id} className={styles.list}>
        {versions.slice(0, whole ? undefined : shownAtFirst).map((version) => (
          <VersionEntry key={version.version} version={version} controls={controls?.(version)} />
        ))}
      </ol>
      {folded > 0 && (
        <Button
          variant="outline"
          size="s"
          className={styles.more}
          aria-expanded={whole}
          aria-controls={id}
          onClick={() => setWhole(!whole)}
        >
          {whole ? t('versions_fewer') : t('versions_more', { count: folded })}
          <ChevronDownIcon size={14} className={whole ? styles.up : undefined} />
        </Button>
      )}
    </>
  );
}
