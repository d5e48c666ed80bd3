import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedActivity } from '../../../../shared/entities/backstage.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { showProblems } from '../../../ui/form-problems.ts';
import { CalendarIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { PictureField, usePictureProblem } from '../frame/picture-field.tsx';
import styles from './community-screen.module.css';
import { typedCount } from './work-dialogs.tsx';

/** The activity card beside the featured works. */
export function ActivityPart() {
  const t = useTranslations('featuredAdmin');
  const [task, setTask] = useState<'edit' | 'delete'>();
  const query = useQuery(queryOptionsOf('readManagedActivity', {}));
  const activity = query.data?.activity ?? undefined;
  const close = (): void => setTask(undefined);
  return (
    <section className={styles.part} aria-labelledby="activity-card">
      <h2 id="activity-card" className={styles.heading}>
        {t('activity')}
      </h2>
      <p className={styles.lead}>{t('activity_lead')}</p>
      <PagedList
        query={query}
        isEmpty={activity === undefined}
        empty={
          <Notice
            icon={<CalendarIcon size={22} />}
            title={t('activity_empty_title')}
            text={t('activity_empty_text')}
            action={
              <Button onClick={() => setTask('edit')}>
                <PlusIcon />
                {t('activity_make')}
              </Button>
            }
          />
        }
      >
        {activity && <ActivityRow activity={activity} onAsk={setTask} />}
      </PagedList>
      {task === 'edit' && <EditActivity activity={activity} onClose={close} />}
      {task === 'delete' && <DeleteActivity onClose={close} />}
    </section>
  );
}

function useActivityChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['readManagedActivity'] });
    await queryClient.invalidateQueries({ queryKey: ['readActivity'] });
  };
}

type RowProps = { activity: ManagedActivity; onAsk: (what: 'edit' | 'delete') => void };

function ActivityRow({ activity, onAsk }: RowProps) {
  const t = useTranslations('featuredAdmin');
  const toast = useToast();
  const activityChanged = useActivityChanged();
  const show = useMutation({
    mutationFn: (isOn: boolean) => call('saveActivity', { is_hidden: !isOn }),
    onSuccess: activityChanged,
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
  });
  const { cover, participate_num, view_num, tutorial_url, is_hidden } = activity;
  const isOn = show.isPending ? show.variables : !is_hidden;
  return (
    <div className={classNames(styles.row, styles.single)}>
      {cover ? (
        <img
          className={styles.picture}
          src={pictureUrl(cover.key, cover.widths[0] ?? cover.width)}
          srcSet={pictureSrcset(cover.key, cover.widths)}
          sizes="120px"
          alt=""
        />
      ) : (
        <span className={classNames(styles.picture, styles.noPicture)}>{t('no_picture')}</span>
      )}
      <div className={styles.texts}>
        <p className={styles.name}>
          {t('activity_counts', { participants: participate_num, views: view_num })}
        </p>
        <p className={styles.facts}>{tutorial_url || t('no_link')}</p>
        <Badge tone={isOn ? 'positive' : 'warning'}>{t(isOn ? 'shown' : 'hidden')}</Badge>
      </div>
      <div className={styles.show}>
        <Switch
          label={t('activity_show')}
          hideLabel
          checked={isOn}
          disabled={show.isPending}
          onChange={(on) => show.mutate(on)}
        />
      </div>
      <div className={styles.actions}>
        <Button size="s" onClick={() => onAsk('edit')} aria-label={t('activity_edit')}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={() => onAsk('delete')} aria-label={t('activity_delete')}>
          {t('delete')}
        </Button>
      </div>
    </div>
  );
}

type Values = { cover: File | null; participants: string; views: string; link: string };

/** Makes the card, or changes it. */
function EditActivity({ activity, onClose }: { activity: ManagedActivity | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const pictureProblem = usePictureProblem();
  const toast = useToast();
  const activityChanged = useActivityChanged();
  const { control, formState, handleSubmit, setError } = useForm<Values>({
    defaultValues: {
      cover: null,
      participants: String(activity?.participate_num ?? 0),
      views: String(activity?.view_num ?? 0),
      link: activity?.tutorial_url ?? '',
    },
  });
  const save = useMutation({
    mutationFn: ({ cover, participants, views, link }: Values) => {
      const [participate_num, view_num] = [typedCount(participants), typedCount(views)];
      return call('saveActivity', {
        ...(participate_num !== undefined && { participate_num }),
        ...(view_num !== undefined && { view_num }),
        tutorial_url: link.trim(),
        ...(cover && { cover }),
      });
    },
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await activityChanged();
      onClose();
    },
    onError: (error) => {
      const text = pictureProblem(error);
      if (text) return showProblems(setError, [{ field: 'cover', text }]);
      const isLinkWrong = error.reason === 'LINK_INVALID';
      showProblems(setError, [
        isLinkWrong ? { field: 'link', text: t('link_wrong') } : { field: 'root', text: t('failed') },
      ]);
    },
  });
  const submit = (): void => void handleSubmit((values) => save.mutate(values))();
  const checkCount = (text: string) => (typedCount(text) === undefined ? t('count_wrong') : undefined);
  return (
    <ConfirmDialog
      open
      title={t(activity ? 'activity_edit_title' : 'activity_make')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={formState.errors.root?.message}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PictureField
          control={control}
          name="cover"
          label={t('cover')}
          hint={t('cover_hint')}
          kept={activity?.cover ? pictureUrl(activity.cover.key, activity.cover.widths.at(-1) ?? 320) : null}
        />
        <div className={styles.pair}>
          <FormTextField
            control={control}
            name="participants"
            check={checkCount}
            label={t('participants')}
            inputMode="numeric"
            onEnter={submit}
          />
          <FormTextField
            control={control}
            name="views"
            check={checkCount}
            label={t('views')}
            inputMode="numeric"
            onEnter={submit}
          />
        </div>
        <FormTextField
          control={control}
          name="link"
          check={(link) =>
            link.trim() !== '' && siteLink(link.trim()) === null ? t('link_wrong') : undefined
          }
          label={t('tutorial')}
          hint={t('tutorial_hint')}
          inputMode="url"
          spellCheck={false}
          onEnter={submit}
        />
      </div>
    </ConfirmDialog>
  );
}

function DeleteActivity({ onClose }: { onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const activityChanged = useActivityChanged();
  return (
    <DeleteDialog
      texts="featuredAdmin"
      title={t('activity_delete_title')}
      remove={() => call('deleteActivity', {})}
      refresh={activityChanged}
      onClose={onClose}
    >
      {t('activity_delete_text')}
    </DeleteDialog>
  );
}
