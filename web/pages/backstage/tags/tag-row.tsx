import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { NamedRow } from './named-list.tsx';
import { useTagsChanged } from './tag-dialogs.tsx';

type Props = { tag: ManagedTag; name: string; onAsk: (what: 'edit' | 'merge' | 'delete') => void };

/** One tag: its place, its names and code, whether it is shown, and what can be done with it. */
export function TagRow({ tag, name, onAsk }: Props) {
  const t = useTranslations('tagAdmin');
  const toast = useToast();
  const tagsChanged = useTagsChanged();
  const show = useMutation({
    mutationFn: (isShown: boolean) => call('saveTag', { id: tag.id, is_hidden: !isShown }),
    onSuccess: tagsChanged,
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
  });
  const isShown = show.isPending ? show.variables : !tag.is_hidden;
  return (
    <NamedRow
      item={tag}
      name={name}
      title={name}
      isShown={isShown}
      isBusy={show.isPending}
      onShow={(isOn) => show.mutate(isOn)}
      actions={
        <>
          <Button size="s" onClick={() => onAsk('edit')} aria-label={t('edit_named', { name })}>
            {t('edit')}
          </Button>
          {tag.plugin_count > 0 ? (
            <Button size="s" onClick={() => onAsk('merge')} aria-label={t('merge_named', { name })}>
              {t('merge')}
            </Button>
          ) : (
            <Button size="s" onClick={() => onAsk('delete')} aria-label={t('delete_named', { name })}>
              {t('delete')}
            </Button>
          )}
        </>
      }
    />
  );
}
