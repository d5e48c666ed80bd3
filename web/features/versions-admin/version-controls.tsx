import { useQueryClient } from '@tanstack/react-query';
import CheckIcon from 'lucide-react/icons/check';
import EyeIcon from 'lucide-react/icons/eye';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { PluginVersion } from '../../../shared/entities/plugin.ts';
import type { DataFor } from '../../api/client.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { type VersionChange, versionDone, versionError, versionsAfter } from './version-changes.ts';
import styles from './version-controls.module.css';

type VersionControlsProps = { pluginKey: string; version: PluginVersion };

/** A publisher's controls of an approved version; nothing for others. */
export function VersionControls({ pluginKey, version: { version, ...state } }: VersionControlsProps) {
  const t = useTranslations('versions');
  const change = useVersionChange(pluginKey);
  const [asking, setAsking] = useState(false);
  if (state.audit_status !== AUDIT_PASSED) return null;
  if (state.withdrawal) return <p>{t('withdrawn', { reason: state.withdrawal.text })}</p>;
  const start = (requested: VersionChange): void => {
    setAsking(false);
    change.mutate(requested);
  };
  return (
    <div className={styles.controls}>
      {!state.is_current && (
        <Button size="s" variant="outline" onClick={() => setAsking(true)}>
          <CheckIcon size={14} />
          <ShortText full={t('make_current_named', { version })}>{t('make_current')}</ShortText>
        </Button>
      )}
      {state.is_hidden ? (
        <Button size="s" variant="quiet" onClick={() => start({ version, is_hidden: false })}>
          <EyeIcon size={14} />
          <ShortText full={t('show_named', { version })}>{t('show')}</ShortText>
        </Button>
      ) : (
        <Button size="s" variant="quiet" onClick={() => start({ version, is_hidden: true })}>
          <EyeOffIcon size={14} />
          <ShortText full={t('hide_named', { version })}>{t('hide')}</ShortText>
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('make_current_title', { version })}
        confirmLabel={t('make_current')}
        onConfirm={() => start({ version, is_current: true })}
        onClose={() => setAsking(false)}
      >
        <p>{t('make_current_text', { version })}</p>
      </ConfirmDialog>
    </div>
  );
}

/**
 * Makes a version current, hides or restores it: optimistic, rolled back on failure, serialized per plugin, and
 * refetched after the last (R 4.10).
 */
function useVersionChange(pluginKey: string) {
  const t = useTranslations('versions');
  const client = useQueryClient();
  const { queryKey } = queryOptionsOf('listVersions', { plugin_key: pluginKey });
  const payloadOf = (change: VersionChange) => ({ plugin_key: pluginKey, ...change });
  return useOperation('changeVersion', payloadOf, {
    done: (_history, change) => t(versionDone(change), { version: change.version }),
    failsIn: 'toast',
    errorMessages: (error) => t(versionError(error)),
    mutationKey: ['changeVersion', pluginKey],
    scope: { id: `versions ${pluginKey}` },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<DataFor<'listVersions'>>(queryKey);
      if (before) {
        client.setQueryData<DataFor<'listVersions'>>(queryKey, {
          version_list: versionsAfter(before.version_list, change),
        });
      }
      return before;
    },
    onError: (_error, _change, before) => {
      if (before) client.setQueryData(queryKey, before);
    },
  });
}
