import { useForm } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import {
  HANDLE_LENGTHS,
  HANDLE_PATTERN,
  PUBLISHER_LINKS,
  PUBLISHER_PATH,
  TEXT_LIMITS,
} from '../../../shared/constants.ts';
import type { OwnProfile } from '../../../shared/entities/publisher.ts';
import type { Texts } from '../../../shared/languages.ts';
import { siteLink } from '../../../shared/site-link.ts';
import { isVisible } from '../../../shared/visible-text.ts';
import type { Refusal } from '../../api/use-failure.ts';
import { useOperation } from '../../api/use-operation.ts';
import { LeaveGuard } from '../../layout/leave-guard.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FormTextArea, FormTextField } from '../../ui/form-fields.tsx';
import { resetToSaved } from '../../ui/reset-to-saved.ts';
import { TitleField } from '../backstage/frame/title-field.tsx';
import styles from './profile-page.module.css';

type Values = { handle: string; about: Texts; links: string };

const HANDLE = new RegExp(HANDLE_PATTERN);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Handle, texts and links of a publisher. */
export function ProfileForm({ profile }: { profile: OwnProfile }) {
  const t = useTranslations('profile');
  const common = useTranslations('common');
  const leaving = useTranslations('form');
  const locale = useLocale();
  const stored = { handle: profile.handle, about: profile.about, links: profile.links.join('\n') };
  const { control, formState, getValues, handleSubmit, reset, setError } = useForm<Values>({
    defaultValues: stored,
  });
  const checkHandle = (typed: string): string | undefined => {
    const isWrong =
      !HANDLE.test(typed) || typed.length < HANDLE_LENGTHS.min || typed.length > HANDLE_LENGTHS.max;
    return isWrong ? t('handle_wrong') : undefined;
  };
  const linksWrong = t('links_wrong', PUBLISHER_LINKS);
  const checkLinks = (typed: string): string | undefined => {
    const lines = linesOf(typed);
    const isWrong =
      lines.length > PUBLISHER_LINKS.max ||
      lines.some((line) => line.length > PUBLISHER_LINKS.length || !siteLink(line)?.startsWith('https://'));
    return isWrong ? linksWrong : undefined;
  };
  const refusals: Readonly<Record<string, Refusal<Values>>> = {
    HANDLE_TAKEN: { at: 'handle', text: t('handle_taken') },
    HANDLE_VERIFIED: { at: 'handle', text: t('handle_verified') },
    HANDLE_RESERVED: { at: 'handle', text: t('handle_reserved') },
    HANDLE_LIMIT_REACHED: { at: 'handle', text: t('handle_limit') },
  };
  const { mutate, isPending } = useOperation(
    'updateOwnProfile',
    ({ handle, about, links }: Values) => ({
      handle,
      default_lang: profile.default_lang,
      about: Object.fromEntries(Object.entries(about).filter(([, text]) => isVisible(text))),
      links: linesOf(links),
    }),
    {
      keepsDataOnError: true,
      done: common('saved'),
      failsIn: { setError },
      errorMessages: ({ reason }) => refusals[reason ?? ''],
      onSuccess: ({ handle, about, links }, sent) =>
        resetToSaved({ getValues, reset }, { sent, saved: { handle, about, links: links.join('\n') } }),
    },
  );
  const submit = handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
  const { root } = formState.errors;
  return (
    <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <FormTextField
        control={control}
        name="handle"
        check={checkHandle}
        label={t('handle')}
        hint={t('handle_hint', HANDLE_LENGTHS)}
        leading={PUBLISHER_PATH}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <TitleField
        control={control}
        name="about"
        isLong
        label={t('about')}
        hint={t('about_hint')}
        limit={TEXT_LIMITS.about}
        languagesLabel={t('languages')}
        writtenLabel={common('written')}
        first={locale}
      />
      <FormTextArea
        control={control}
        name="links"
        check={checkLinks}
        label={t('links')}
        hint={t('links_hint', PUBLISHER_LINKS)}
      />
      {root && (
        <p className={styles.problem} role="alert">
          {root.message}
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" busy={isPending} disabled={!formState.isDirty}>
          {common('save')}
        </Button>
      </div>
      <LeaveGuard
        isActive={formState.isDirty && !isPending}
        title={leaving('unsaved_title')}
        text={leaving('unsaved_text')}
        confirmLabel={leaving('unsaved_discard')}
        cancelLabel={leaving('unsaved_keep')}
      />
    </form>
  );
}
