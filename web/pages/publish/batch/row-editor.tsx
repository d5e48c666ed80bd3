import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../../shared/entities/review.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { tagsQuery } from '../../../features/plugins/plugin-queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { createForm } from '../form/form-state.ts';
import { knownTagsOf } from '../form/package-values.ts';
import { AboutSection } from '../form/sections/about-section.tsx';
import { FactsSection } from '../form/sections/facts-section.tsx';
import { PicturesSection } from '../form/sections/pictures-section.tsx';
import { controlAt, focusField } from '../form/sections/section.tsx';
import { TextsSection } from '../form/sections/texts-section.tsx';
import { VersionSection } from '../form/sections/version-section.tsx';
import { FormContext, usePublishForm } from '../form/use-form.ts';
import styles from './batch.module.css';
import { type BatchRow, isNameEdited, targetOf } from './batch-row.ts';
import type { Edit } from './batch-state.ts';
import { firstButtonId } from './row-context.ts';
import { editedContent, editsOf, packagedContent } from './row-edits.ts';

type RowEditorProps = {
  /** The edited row; undefined while closed. */
  row: BatchRow | undefined;
  /** Known problems of its fields. */
  problems: readonly Finding[];
  urlOf: (file: File) => string;
  /** Called with the edits, however the window was closed. */
  onClose: (id: number, edit: Edit | undefined) => void;
};

/** The fields of the publishing form for one package of a batch. Edits are stored with the row. */
export function RowEditor({ row, problems, urlOf, onClose }: RowEditorProps) {
  const t = useTranslations('batch');
  const common = useTranslations('common');
  const element = useRef<HTMLDivElement>(null);
  const written = useRef<() => Edit>(undefined);
  const last = useRef(0);
  const read = row?.item.package;
  const close = (): void => {
    if (row) {
      last.current = row.id;
      onClose(row.id, written.current?.());
    }
    written.current = undefined;
  };
  return (
    <Dialog
      open={row !== undefined}
      onClose={close}
      isDirty={false}
      kind="wide"
      title={t('edit_title', { name: row?.name || (row?.item.fileName ?? '') })}
      closeLabel={common('close')}
      // The button that opened this may be gone when nothing is missing any more.
      finalFocus={() => document.getElementById(firstButtonId(last.current))}
      initialFocus={() => controlAt(element.current, problems[0]?.pointer ?? '/name')}
    >
      <div ref={element} className={styles.editor}>
        <p className={styles.lead}>{t('edit_lead')}</p>
        {row && read && (
          <EditorData key={row.id} {...{ row, read, problems, urlOf, written, element }} onDone={close} />
        )}
      </div>
    </Dialog>
  );
}

type EditorProps = {
  row: BatchRow;
  read: ReadPackage;
  problems: readonly Finding[];
  urlOf: (file: File) => string;
  written: RefObject<(() => Edit) | undefined>;
  element: RefObject<HTMLDivElement | null>;
  onDone: () => void;
};

/** Loads the form's data; calls that the service doesn't have are skipped. */
function EditorData(props: EditorProps) {
  const key = targetOf(props.row) ?? '';
  const asked = queryOptionsOf('readEditablePlugin', { plugin_key: key });
  const plugin = useQuery({ ...asked, enabled: key !== '', staleTime: 0 });
  const tags = useQuery(tagsQuery());
  const rules = useQuery(queryOptionsOf('readPublishRules', {}));
  if ((key !== '' && !plugin.isFetchedAfterMount) || !tags.isFetched || !rules.isFetched) return <Spinner />;
  return (
    <EditorForm
      {...props}
      plugin={key === '' ? undefined : plugin.data}
      tags={tags.data?.tag_list ?? []}
      rules={rules.data}
    />
  );
}

type EditorFormProps = EditorProps & {
  plugin: EditablePlugin | undefined;
  tags: readonly Tag[];
  rules: PublishRules | undefined;
};

function EditorForm(props: EditorFormProps) {
  const t = useTranslations('batch');
  const language = useLocale();
  const { row, read, problems, urlOf, written, element, onDone, plugin, tags, rules } = props;
  const [packaged] = useState(() =>
    packagedContent(read, { plugin, language, knownTags: knownTagsOf(rules, tags), urlOf }),
  );
  const start = () => {
    const name = isNameEdited(row) ? row.name.trim() : undefined;
    const content = editedContent(packaged, row.edits, { name, version: row.version });
    return createForm({ ...content, plugin, includesVersion: true, reported: problems });
  };
  const form = usePublishForm({ start, rules, tags, urlOf });
  useEffect(() => {
    written.current = () => {
      const { values } = form.state;
      const edits = editsOf(form.state, packaged);
      return { edits, name: values.name[values.default_lang] ?? '', version: values.version };
    };
  });
  useEffect(() => {
    if (problems[0]) focusField(element.current, problems[0].pointer);
  }, []);
  return (
    <FormContext value={form}>
      <TextsSection />
      <PicturesSection />
      <AboutSection />
      <FactsSection />
      <VersionSection />
      <div className={styles.editorEnd}>
        <Button variant="primary" onClick={onDone}>
          {t('edit_done')}
        </Button>
      </div>
    </FormContext>
  );
}
