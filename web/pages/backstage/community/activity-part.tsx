import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX } from '../../../../shared/constants.ts';
import type { ManagedActivity } from '../../../../shared/entities/backstage.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { CalendarIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { PictureField, pictureProblem } from '../frame/picture-field.tsx';
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

/** Makes the card, or changes it. */
function EditActivity({ activity, onClose }: { activity: ManagedActivity | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const backstage = useTranslations('backstage');
  const [participants, setParticipants] = useState(String(activity?.participate_num ?? 0));
  const [views, setViews] = useState(String(activity?.view_num ?? 0));
  const [link, setLink] = useState(activity?.tutorial_url ?? '');
  const [cover, setCover] = useState<File | null>(null);
  const [checked, setChecked] = useState(false);
  const toast = useToast();
  const activityChanged = useActivityChanged();
  const [participate_num, view_num] = [typedCount(participants), typedCount(views)];
  const save = useMutation({
    mutationFn: () =>
      call('saveActivity', {
        ...(participate_num !== undefined && { participate_num }),
        ...(view_num !== undefined && { view_num }),
        tutorial_url: link.trim(),
        ...(cover && { cover }),
      }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await activityChanged();
      onClose();
    },
  });
  const isLinkWrong =
    (link.trim() !== '' && siteLink(link.trim()) === null) ||
    (isApiError(save.error) && save.error.reason === 'LINK_INVALID');
  const submit = (): void => {
    setChecked(true);
    if (!isLinkWrong && participate_num !== undefined && view_num !== undefined) save.mutate();
  };
  const problem = pictureProblem(save.error);
  const size = IMAGE_BYTES_MAX / 1024 / 1024;
  return (
    <ConfirmDialog
      open
      title={t(activity ? 'activity_edit_title' : 'activity_make')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error && !problem && !isLinkWrong ? t('failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        <PictureField
          label={t('cover')}
          hint={t('cover_hint')}
          kept={activity?.cover ? pictureUrl(activity.cover.key, activity.cover.widths.at(-1) ?? 320) : null}
          chosen={cover}
          onChoose={(file) => {
            setCover(file);
            save.reset();
          }}
          error={problem ? backstage(problem, { size }) : undefined}
        />
        <div className={styles.pair}>
          <TextField
            label={t('participants')}
            value={participants}
            onValueChange={setParticipants}
            inputMode="numeric"
            error={checked && participate_num === undefined ? t('count_wrong') : undefined}
            onEnter={submit}
          />
          <TextField
            label={t('views')}
            value={views}
            onValueChange={setViews}
            inputMode="numeric"
            error={checked && view_num === undefined ? t('count_wrong') : undefined}
            onEnter={submit}
          />
        </div>
        <TextField
          label={t('tutorial')}
          hint={t('tutorial_hint')}
          value={link}
          onValueChange={(value) => {
            setLink(value);
            save.reset();
          }}
          inputMode="url"
          spellCheck={false}
          error={checked && isLinkWrong ? t('link_wrong') : undefined}
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
