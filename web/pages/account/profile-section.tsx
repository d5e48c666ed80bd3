import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { type FieldValues, useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { IMAGE_BYTES_MAX, IMAGE_PIXELS_MAX, IMAGE_TYPES } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { markLookalikeIn } from '../../../shared/mark-lookalikes.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call, type DataFor } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { putNewerData, SESSION_KEY } from '../../api/query-client.ts';
import { type Told, useOperation, useOperationBy } from '../../api/use-operation.ts';
import { useLastSession } from '../../features/session/use-session.ts';
import { Avatar } from '../../ui/avatar/avatar.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { AccountSection } from './account-section.tsx';
import styles from './profile-section.module.css';

const NAME_MAX = 40;
const MEGABYTE = 1024 * 1024;
const MEGAPIXEL = 1_000_000;

const PICTURE_PROBLEMS = {
  NOT_FOUND: 'picture_elsewhere',
  IMAGE_FORMAT: 'picture_format',
  IMAGE_DAMAGED: 'picture_damaged',
  UNSUPPORTED_MEDIA_TYPE: 'picture_format',
  IMAGE_TOO_LARGE: 'picture_size',
  BODY_TOO_LARGE: 'picture_size',
  IMAGE_TOO_MANY_PIXELS: 'picture_pixels',
} as const;

/** The viewer's public profile, editable. */
export function ProfileSection() {
  const t = useTranslations('account');
  const { user } = useLastSession();
  return (
    <AccountSection title={t('profile_title')} lead={t('profile_lead')}>
      {user && (
        <div className={styles.panel}>
          <Picture user={user} />
          <Name key={user.nick_name} user={user} />
        </div>
      )}
    </AccountSection>
  );
}

type Change = { nick_name?: string; avatar_url?: string };

/** Saves the profile and updates the cached session. */
function useChangeProfile<F extends FieldValues>(shown: Told<DataFor<'changeProfile'>, Change, F>) {
  const client = useQueryClient();
  return useOperation('changeProfile', (change: Change) => change, {
    ...shown,
    onSuccess: (session) => putNewerData(client, SESSION_KEY, session),
  });
}

function Picture({ user }: { user: UserInfo }) {
  const t = useTranslations();
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const removal = useChangeProfile({ done: t('account.picture_removed') });
  const change = useChangeProfile({ done: t('account.picture_changed') });
  const upload = useOperationBy('uploadAvatar', async (picture: File) => {
    const { avatar_url } = await call('uploadAvatar', { picture });
    await change.mutateAsync({ avatar_url });
  });
  const error = upload.error ?? removal.error;
  const choose = (file: File | undefined): void => {
    removal.reset();
    if (file) upload.mutate(file);
  };
  const remove = (): void => {
    upload.reset();
    removal.mutate({ avatar_url: '' });
  };
  return (
    <div className={styles.picture}>
      <Avatar userId={user.user_id} nickName={user.nick_name} avatarUrl={user.avatar_url} size={40} />
      <div className={styles.buttons}>
        <input
          ref={chooser}
          type="file"
          accept={IMAGE_TYPES}
          className={styles.file}
          tabIndex={-1}
          aria-label={t('account.picture_change')}
          aria-hidden="true"
          onChange={(event) => {
            choose(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button
          variant="outline"
          busy={upload.isPending}
          aria-describedby={`${id}-hint`}
          onClick={() => chooser.current?.click()}
        >
          {t('account.picture_change')}
        </Button>
        {user.avatar_url !== '' && (
          <Button busy={removal.isPending} onClick={remove}>
            {t('account.picture_remove')}
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {t('account.picture_hint', { size: IMAGE_BYTES_MAX / MEGABYTE })}
      </p>
      {error && (
        <p className={styles.problem} role="alert">
          <PictureProblem error={error} />
        </p>
      )}
    </div>
  );
}

function PictureProblem({ error }: { error: ApiError }) {
  const t = useTranslations();
  const known: Readonly<Record<string, (typeof PICTURE_PROBLEMS)[keyof typeof PICTURE_PROBLEMS]>> =
    PICTURE_PROBLEMS;
  const text = error.reason && known[error.reason];
  if (!text) return t(`error.${errorText(error)}`);
  const limits = { size: IMAGE_BYTES_MAX / MEGABYTE, limit: IMAGE_PIXELS_MAX / MEGAPIXEL };
  return t(`account.${text}`, limits);
}

function Name({ user }: { user: UserInfo }) {
  const t = useTranslations();
  const { control, handleSubmit, setError } = useForm({ defaultValues: { nick_name: user.nick_name } });
  const name = useWatch({ control, name: 'nick_name' }).trim();
  const wrong = t('account.profile_name_wrong', { max: NAME_MAX });
  const change = useChangeProfile({
    done: t('account.profile_saved'),
    failsIn: { setError },
    errorMessages: (error) => ({
      at: 'nick_name',
      text:
        error.reason === 'VALIDATION_FAILED'
          ? t('account.profile_name_refused', { max: NAME_MAX })
          : t(`error.${errorText(error)}`),
    }),
  });
  const save = handleSubmit(({ nick_name }) => {
    const typed = nick_name.trim();
    if (!change.isPending && typed !== user.nick_name) change.mutate({ nick_name: typed });
  });
  return (
    <div className={styles.name}>
      <FormTextField
        control={control}
        name="nick_name"
        check={(typed) => {
          if (markLookalikeIn(typed) !== undefined) return t('account.profile_name_mark');
          return !isVisible(typed) || [...typed.trim()].length > NAME_MAX ? wrong : undefined;
        }}
        label={t('account.profile_name')}
        autoComplete="nickname"
        counted={NAME_MAX}
        onEnter={() => void save()}
      />
      <div>
        <Button
          variant="primary"
          busy={change.isPending}
          disabled={name === user.nick_name}
          onClick={() => void save()}
        >
          {t('account.profile_save')}
        </Button>
      </div>
    </div>
  );
}
