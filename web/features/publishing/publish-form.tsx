import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EditablePlugin } from '../../../shared/entities/review.ts';
import { ConflictDialog } from './dialogs/conflict-dialog.tsx';
import { LeaveDialog } from './dialogs/leave-dialog.tsx';
import { SignedOutDialog } from './dialogs/signed-out-dialog.tsx';
import { DraftBanner } from './draft/draft-banner.tsx';
import { useUnsavedWarning } from './draft/use-unsaved-warning.ts';
import { looksLikeCode, useStrayFiles } from './files/use-stray-files.ts';
import styles from './publish-form.module.css';
import { ListingFormProvider, PublishFormProvider } from './publish-form-context.ts';
import { AboutSection } from './sections/about-section.tsx';
import { PackageSection } from './sections/package-section.tsx';
import { PicturesSection } from './sections/pictures-section.tsx';
import { TextsSection } from './sections/texts-section.tsx';
import { VersionSection } from './sections/version-section.tsx';
import { FormAlerts } from './sending/form-alerts.tsx';
import { PublishDone } from './sending/publish-done.tsx';
import { RulesHint } from './sending/rules-hint.tsx';
import { SubmitBar } from './sending/submit-bar.tsx';
import { useSending } from './sending/use-sending.ts';
import { useSubmit } from './sending/use-submit.ts';
import { type PublishForm as Form, type PublishFormFacts, usePublishForm } from './use-publish-form.ts';

type PublishFormProps = PublishFormFacts & {
  /** Stands above the form. */
  header: ReactNode;
  /** Shows the plugin as it is being written. */
  preview: (form: Form) => ReactNode;
  /** What one can do after it was handed in. */
  doneActions: ReactNode;
  /** Says when what was handed in will be decided. */
  showQueue: (pluginKey: string) => ReactNode;
  readNewer: () => Promise<EditablePlugin | undefined>;
  onLoadNewer: () => void;
  onSignIn: () => void;
};

/** Publishes a plugin or changes one: every field of the plugin editing list (specification section 3). */
export function PublishForm(props: PublishFormProps) {
  const { header, preview, doneActions, showQueue, readNewer, onLoadNewer, onSignIn } = props;
  const element = useRef<HTMLFormElement>(null);
  const { sending, send, cancel, reset } = useSending();
  const form = usePublishForm(props, sending.state === 'done');
  const { unsent, submit, showRefusal } = useSubmit({ element, form, send });
  const [isLeaving, setIsLeaving] = useState(false);
  const isAtRisk = form.isDirty && !isLeaving;
  useUnsavedWarning(isAtRisk);
  useStrayFiles((files) => {
    const code = form.bringsVersion ? files.find(looksLikeCode) : undefined;
    if (code) void form.chooseCode(code);
    else void form.files.addMedia(files);
  });
  const refusal = sending.state === 'refused' ? sending.refusal : undefined;
  const shown = useRef<typeof refusal>(undefined);
  useEffect(() => {
    if (refusal && shown.current !== refusal) showRefusal(refusal);
    shown.current = refusal;
  });
  const signIn = (): void => {
    flushSync(() => setIsLeaving(true));
    onSignIn();
  };
  return (
    <PublishFormProvider value={{ ...form, refused: refusal?.findings ?? [] }}>
      <ListingFormProvider value={form}>
        {sending.state === 'done' ? (
          <PublishDone result={sending.result} actions={doneActions} showQueue={showQueue} />
        ) : (
          <>
            {header}
            <div className={styles.columns}>
              <form ref={element} className={styles.form} noValidate onSubmit={submit}>
                <DraftBanner />
                <RulesHint rules={form.rules} />
                <fieldset className={styles.fields} disabled={sending.state === 'sending'}>
                  <PackageSection />
                  <TextsSection />
                  <PicturesSection />
                  <AboutSection />
                  <VersionSection />
                </fieldset>
                <SubmitBar
                  sending={sending}
                  alert={<FormAlerts sending={sending} unsent={unsent} />}
                  onCancel={cancel}
                />
              </form>
              {preview(form)}
            </div>
          </>
        )}
        <LeaveDialog isActive={isAtRisk} />
        <SignedOutDialog sending={sending} onSignIn={signIn} onClose={reset} />
        <ConflictDialog sending={sending} readNewer={readNewer} onLoadNewer={onLoadNewer} onClose={reset} />
      </ListingFormProvider>
    </PublishFormProvider>
  );
}
