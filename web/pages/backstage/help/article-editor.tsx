import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useController, useForm } from 'react-hook-form';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS, HELP_PATH } from '../../../../shared/constants.ts';
import type { EditedArticle } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { useEditedLanguages } from '../../../api/edited-languages.ts';
import { useIsUnderWay } from '../../../api/latest-location.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { LeaveGuard } from '../../../layout/leave-guard.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { showProblems } from '../../../ui/form-problems.ts';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { resetToSaved } from '../../../ui/reset-to-saved.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { articleIdOf } from '../../help/help-loader.ts';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { screenPath } from '../frame/screens.ts';
import { ArticlePreview, CategoryChoice, MarkdownField } from './article-text.tsx';
import styles from './help-screen.module.css';

type Values = Pick<EditedArticle, 'title' | 'body' | 'category_id'>;

export function NewArticle() {
  return <Editor article={undefined} />;
}

/** Edits the article in the path. */
export function ChangedArticle() {
  const id = articleIdOf(useParams().id);
  return id === undefined ? <MissingScreen /> : <ArticleEditor key={id} id={id} />;
}

/** Edits an article. Refetched data doesn't overwrite unsaved input. */
function ArticleEditor({ id }: { id: number }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readManagedArticle', { id }),
    refetchOnWindowFocus: false,
  });
  if (data) return <Editor article={data} />;
  if (!error) return <Skeleton shape="block" className={styles.waiting} />;
  if (error.status === 404) return <MissingScreen />;
  return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
}

function Editor({ article }: { article: EditedArticle | undefined }) {
  const t = useTranslations('helpAdmin');
  const common = useTranslations('common');
  const { language: own } = useSite();
  const [stored, setStored] = useState(article);
  const [language, setLanguage] = useState<Language>(own);
  const [isLeaving, setIsLeaving] = useState(false);
  const navigate = useNavigate();
  const isUnderWay = useIsUnderWay();
  const { control, formState, getValues, handleSubmit, setError, clearErrors, reset } = useForm<Values>({
    defaultValues: valuesOf(article),
  });
  const isChanged = formState.isDirty;
  const category = useController({ control, name: 'category_id' }).field;
  const title = useController({ control, name: 'title', rules: { validate: hasText(t('title_missing')) } });
  const body = useController({
    control,
    name: 'body',
    rules: { validate: fits(t('too_long', { limit: HELP_LIMITS.body })) },
  });
  const values = { title: title.field.value, body: body.field.value };
  const languages = useEditedLanguages([values.title, values.body]);
  const save = useOperation(
    stored ? 'changeHelpArticle' : 'addHelpArticle',
    (draft: Values & { is_published: boolean }) =>
      stored ? { ...draft, id: stored.id, updated_at: stored.updated_at } : { ...draft, default_lang: own },
    {
      keepsDataOnError: true,
      readsLater: true,
      done: ({ is_published }) => t(is_published ? 'saved_published' : 'saved_draft'),
      failsIn: { setError },
      failed: common('failed'),
      errorMessages: { CONFLICT: t('conflict'), HELP_LIMIT_REACHED: t('limit_reached') },
    },
  );
  const submit = (is_published: boolean): void =>
    void handleSubmit((draft) => {
      if (is_published && !LANGUAGES.some((one) => isWritten(draft, one)))
        showProblems(setError, [{ field: 'root', text: t('body_missing') }]);
      else save.mutate({ ...draft, is_published }, { onSuccess: (saved) => show(saved, draft) });
    })();
  /** Not for those who have left the page meanwhile. Who is still on their way may have to stay. */
  const show = (saved: EditedArticle, sent: Values): void => {
    if (stored || isUnderWay()) {
      setStored(saved);
      resetToSaved({ getValues, reset }, { sent, saved: valuesOf(saved) });
      return;
    }
    flushSync(() => setIsLeaving(true));
    void navigate(screenPath('help', String(saved.id)), { replace: true });
  };
  const isPublished = stored?.is_published ?? false;
  const busy = save.isPending || isLeaving;
  return (
    <>
      <PageHeader
        title={t(stored ? 'edit_title' : 'add')}
        lead={
          <Badge tone={isPublished ? 'positive' : 'neutral'} dot>
            {t(isPublished ? 'published' : 'draft')}
          </Badge>
        }
        back={
          <Link to={screenPath('help')}>
            <ArrowLeftIcon size={16} />
            {t('title')}
          </Link>
        }
        actions={
          <>
            {isPublished && stored && (
              <a href={`${HELP_PATH}${stored.id}`} target="_blank" rel="noopener" className={styles.view}>
                {t('view')}
              </a>
            )}
            <Button variant="outline" busy={busy} onClick={() => submit(false)}>
              {t(isPublished ? 'withdraw' : 'save_draft')}
            </Button>
            <Button variant="primary" busy={busy} onClick={() => submit(true)}>
              {isPublished ? common('save') : t('publish')}
            </Button>
          </>
        }
      />
      {formState.errors.root && (
        <p className={styles.problem} role="alert">
          {formState.errors.root.message}
        </p>
      )}
      <form
        className={styles.editor}
        noValidate
        // The first save opens the article's own page, which shows what was sent.
        inert={busy && !stored}
        onChange={() => clearErrors('root')}
        onSubmit={(event) => event.preventDefault()}
      >
        <div className={styles.fields}>
          <CategoryChoice value={category.value} onChange={category.onChange} />
          <Tabs
            label={t('languages')}
            value={language}
            onChange={setLanguage}
            tabs={languages.map((id) => ({
              id,
              lang: id,
              label: LANGUAGE_NAMES[id],
              mark: isWritten(values, id) ? { tone: 'done', label: common('written') } : undefined,
            }))}
            panel="help-text"
          />
          <div id="help-text" role="tabpanel" aria-label={LANGUAGE_NAMES[language]} className={styles.fields}>
            <TextField
              label={t('article_title')}
              value={values.title[language] ?? ''}
              onValueChange={(text) => title.field.onChange({ ...values.title, [language]: text })}
              lang={language}
              maxLength={HELP_LIMITS.title}
              error={title.fieldState.error?.message}
            />
            <MarkdownField
              key={language}
              value={values.body[language] ?? ''}
              readText={() => getValues('body')[language] ?? ''}
              onChange={(text) => body.field.onChange({ ...getValues('body'), [language]: text })}
              lang={language}
              error={body.fieldState.error?.message}
            />
          </div>
        </div>
        <ArticlePreview
          title={values.title[language] ?? ''}
          body={values.body[language] ?? ''}
          lang={language}
        />
      </form>
      <LeaveGuard
        isActive={isChanged && !isLeaving}
        title={t('leave_title')}
        text={t('leave_text')}
        confirmLabel={t('leave')}
        cancelLabel={t('stay')}
      />
    </>
  );
}

function valuesOf(article: EditedArticle | undefined): Values {
  const { title = {}, body = {}, category_id = null } = article ?? {};
  return { title, body, category_id };
}

function isWritten({ title, body }: Pick<Values, 'title' | 'body'>, language: Language): boolean {
  return isVisible(title[language] ?? '') && isVisible(body[language] ?? '');
}

const hasText = (problem: string) => (texts: Texts) =>
  Object.values(texts).some((text) => isVisible(text)) ? undefined : problem;

const fits = (problem: string) => (texts: Texts) =>
  Object.values(texts).every((text) => [...text].length <= HELP_LIMITS.body) ? undefined : problem;
