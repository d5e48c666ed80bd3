import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import ClockIcon from 'lucide-react/icons/clock';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { DeveloperDocsLink } from '../../../features/plugins/developer-docs-link.tsx';
import { looksLikePackage, usePageFiles } from '../../../features/publishing/files/use-files.ts';
import { useLeftOut } from '../../../features/publishing/files/use-left-out.ts';
import { FormProviders } from '../../../features/publishing/form-contexts.tsx';
import { AboutSection } from '../../../features/publishing/sections/about-section.tsx';
import { PackageSection } from '../../../features/publishing/sections/package-section.tsx';
import { PicturesSection } from '../../../features/publishing/sections/pictures-section.tsx';
import { TextsSection } from '../../../features/publishing/sections/texts-section.tsx';
import { VersionSection } from '../../../features/publishing/sections/version-section.tsx';
import { ConflictDialog, DraftBanner, RulesHint } from '../../../features/publishing/sending/form-notes.tsx';
import { SubmitBar } from '../../../features/publishing/sending/submit-bar.tsx';
import { useSubmission } from '../../../features/publishing/sending/use-submission.ts';
import { type PublishFormOptions, usePublishForm } from '../../../features/publishing/use-publish-form.ts';
import { LeaveGuard } from '../../../layout/leave-guard.tsx';
import { usePageHead } from '../../../layout/page-head.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { PublishDone } from './publish-done.tsx';
import styles from './single-page.module.css';
import { SinglePreview } from './single-preview.tsx';

type SingleFormProps = Omit<PublishFormOptions, 'userId'> & {
  user: UserInfo;
  readNewer: () => Promise<EditablePlugin | undefined>;
  onRestart: () => void;
};

/** Publishes or edits a plugin: every field of the plugin editing list (R 5.2). */
export function SingleForm({ user, readNewer, onRestart, ...facts }: SingleFormProps) {
  const t = useTranslations('publish');
  const { language } = useSite();
  const { plugin } = facts;
  const name = plugin && textIn(plugin.listing.name, language, plugin.listing.default_lang).text;
  const title = name === undefined ? t('title_new') : t('title_edit', { name });
  usePageHead({ title });
  const element = useRef<HTMLFormElement>(null);
  const form = usePublishForm({ ...facts, userId: user.user_id });
  const { settings, fields, choices, code, draft, hasFiles } = form;
  const { sending, submit, cancel, reset } = useSubmission(form, element);
  const leaveOut = useLeftOut();
  usePageFiles((files) => {
    const packages = settings.includesVersion ? files.filter(looksLikePackage) : [];
    const [chosen, ...others] = packages;
    const pictures = files.filter((file) => !packages.includes(file));
    if (chosen) void code.chooseCode(chosen);
    leaveOut(others);
    if (pictures.length > 0) void choices.addMedia(pictures);
  });
  return (
    <div className={styles.page}>
      <FormProviders settings={settings} fields={fields} choices={choices} code={code}>
        {sending.state === 'done' ? (
          <PublishDone result={sending.result} isNew={!plugin} onRestart={onRestart} />
        ) : (
          <>
            <SingleHeader plugin={plugin} title={title} />
            <div className={styles.columns}>
              <form ref={element} className={styles.form} noValidate onSubmit={submit}>
                <DraftBanner draft={draft} />
                <RulesHint />
                <fieldset className={styles.fields} disabled={sending.state === 'sending'}>
                  <PackageSection
                    refused={sending.state === 'refused' ? sending.submitError.findings : []}
                    onHasVersion={form.setIncludesVersion}
                  />
                  <TextsSection />
                  <PicturesSection />
                  <AboutSection />
                  <VersionSection />
                </fieldset>
                <SubmitBar sending={sending} isSaved={draft.isKept} onCancel={cancel} />
              </form>
              <SinglePreview form={form} user={user} />
            </div>
          </>
        )}
      </FormProviders>
      <LeaveGuard
        isActive={form.isDirty}
        comesBack={draft.isKept && !hasFiles}
        title={t('leave')}
        text={t(hasFiles ? 'leave_files' : 'leave_text')}
        confirmLabel={t('leave_confirm')}
        cancelLabel={t('leave_cancel')}
      />
      <ConflictDialog
        open={sending.state === 'conflict'}
        readNewer={readNewer}
        onLoadNewer={onRestart}
        onKeepMine={(newer) => {
          form.rebase(newer);
          reset();
        }}
        onClose={reset}
      />
    </div>
  );
}

/** Title of the form, and the plugin's review status. */
function SingleHeader({ plugin, title }: { plugin: EditablePlugin | undefined; title: string }) {
  const t = useTranslations('publish');
  return (
    <>
      <PageHeader
        back={
          <Link to={MY_PLUGINS_PATH}>
            <ArrowLeftIcon />
            {t('back')}
          </Link>
        }
        title={title}
        actions={<DeveloperDocsLink />}
        lead={t(plugin ? 'lead_edit' : 'lead_new')}
      />
      {plugin?.audit_status === AUDIT_WAITING && (
        <p className={styles.waiting}>
          <ClockIcon size={18} />
          {t('edit_waiting')}
        </p>
      )}
      {plugin?.audit_status === AUDIT_REFUSED && plugin.reason !== null && (
        <p className={styles.refused}>
          <CircleAlertIcon size={18} />
          {t('edit_refused', { reason: plugin.reason })}
        </p>
      )}
    </>
  );
}
