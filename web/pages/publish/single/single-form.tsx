import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import ClockIcon from 'lucide-react/icons/clock';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../../shared/entities/review.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { lastingStorage } from '../../../api/tab-storage.ts';
import { DeveloperDocsLink } from '../../../features/plugins/developer-docs-link.tsx';
import { LeaveGuard } from '../../../layout/leave-guard.tsx';
import { usePageHead } from '../../../layout/page-head.tsx';
import { useLeftOut } from '../../../ui/file-drop/use-left-out.ts';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { draftKey, readDraft, startOf } from '../form/draft.ts';
import { rebase } from '../form/form-state.ts';
import { AboutSection } from '../form/sections/about-section.tsx';
import { FactsSection } from '../form/sections/facts-section.tsx';
import { PackageSection } from '../form/sections/package-section.tsx';
import { PicturesSection } from '../form/sections/pictures-section.tsx';
import { TextsSection } from '../form/sections/texts-section.tsx';
import { VersionSection } from '../form/sections/version-section.tsx';
import { ConflictDialog, DraftBanner, RulesHint } from '../form/sending/form-notes.tsx';
import { SubmitBar } from '../form/sending/submit-bar.tsx';
import { useSubmission } from '../form/sending/use-submission.ts';
import { useDraft } from '../form/use-draft.ts';
import { FormContext, usePublishForm } from '../form/use-form.ts';
import { looksLikePackage, useObjectUrls, usePageFiles } from '../form/use-page-files.ts';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { PublishDone } from './publish-done.tsx';
import styles from './single-page.module.css';
import { SinglePreview } from './single-preview.tsx';

type SingleFormProps = {
  user: UserInfo;
  /** The edited plugin; absent for a new one. */
  plugin: EditablePlugin | undefined;
  /** Opened to submit a new version. */
  startsWithVersion: boolean;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  readNewer: () => Promise<EditablePlugin | undefined>;
  onRestart: () => void;
};

/**
 * Publishes or edits a plugin: every field of the plugin editing list (R 5.2). It stays based on the plugin as first
 * loaded, so that it never overwrites another user's changes unseen.
 */
export function SingleForm(props: SingleFormProps) {
  const t = useTranslations('publish');
  const { language } = useSite();
  const { user, plugin, startsWithVersion, rules, tags, readNewer, onRestart } = props;
  const name = plugin && textIn(plugin.listing.name, language, plugin.listing.default_lang).text;
  const title = name === undefined ? t('title_new') : t('title_edit', { name });
  usePageHead({ title });
  const element = useRef<HTMLFormElement>(null);
  const key = draftKey(user.user_id, plugin?.plugin_key);
  const start = () =>
    startOf({ plugin, startsWithVersion, language, draft: readDraft(lastingStorage(), key) });
  const form = usePublishForm({ start, rules, tags, urlOf: useObjectUrls() });
  const { includesVersion, sending } = form.state;
  const draft = useDraft(form, key);
  const { submit, cancel, reset } = useSubmission(form, element);
  const leaveOut = useLeftOut();
  usePageFiles((files) => {
    const packages = includesVersion ? files.filter(looksLikePackage) : [];
    const [chosen, ...others] = packages;
    const pictures = files.filter((file) => !packages.includes(file));
    if (chosen) void form.chooseCode(chosen);
    leaveOut(others);
    if (pictures.length > 0) void form.addMedia(pictures);
  });
  return (
    <div className={styles.page}>
      <FormContext value={form}>
        {sending.state === 'done' ? (
          <PublishDone result={sending.result} isNew={!plugin} onRestart={onRestart} />
        ) : (
          <>
            <SingleHeader plugin={plugin} title={title} />
            <div className={styles.columns}>
              <form ref={element} className={styles.form} noValidate onSubmit={submit}>
                <DraftBanner {...draft} />
                <RulesHint />
                <fieldset className={styles.fields} disabled={sending.state === 'sending'}>
                  <PackageSection />
                  <TextsSection />
                  <PicturesSection />
                  <AboutSection />
                  <FactsSection />
                  <VersionSection />
                </fieldset>
                <SubmitBar isSaved={draft.isSaved} onCancel={cancel} />
              </form>
              <SinglePreview user={user} />
            </div>
          </>
        )}
      </FormContext>
      <LeaveGuard
        isActive={draft.isDirty}
        comesBack={draft.isSaved && !draft.hasFiles}
        title={t('leave')}
        text={t(draft.hasFiles ? 'leave_files' : 'leave_text')}
        confirmLabel={t('leave_confirm')}
        cancelLabel={t('leave_cancel')}
      />
      <ConflictDialog
        open={sending.state === 'conflict'}
        readNewer={readNewer}
        onLoadNewer={onRestart}
        onKeepMine={(newer) => form.change((now) => rebase(now, newer))}
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
