import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { HELP_LIMITS, HELP_PATH } from '../../../../shared/constants.ts';
import type { EditedArticle } from '../../../../shared/entities/help.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../../shared/languages.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { ArrowLeftIcon } from '../../../ui/icon/way-icons.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { articleIdOf } from '../../help/help-loader.ts';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { screenPath } from '../frame/screens.ts';
import { ArticlePreview, CategoryChoice, LeaveArticle, MarkdownField } from './article-text.tsx';
import styles from './help-screen.module.css';
import { useHelpRefresh } from './use-help-refresh.ts';

type Draft = Pick<EditedArticle, 'title' | 'body' | 'category_id'>;

/** Writes an article that is not there yet. */
export function NewArticle() {
  return <Editor article={undefined} />;
}

/** The article that the path names. */
export function ChangedArticle() {
  const id = articleIdOf(useParams().id);
  return id === undefined ? <MissingScreen /> : <ArticleEditor key={id} id={id} />;
}

/** Changes an article. What is read again while somebody writes is not put over what they write. */
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
  const { language: own } = useSite();
  const [kept, setKept] = useState(article);
  const [draft, setDraft] = useState<Draft>(() => draftOf(article));
  const [language, setLanguage] = useState<Language>(own);
  const [problem, setProblem] = useState<'title_missing' | 'body_missing' | 'too_long'>();
  const isLeaving = useRef(false);
  const navigate = useNavigate();
  const refresh = useHelpRefresh();
  const toast = useToast();
  const isChanged = JSON.stringify(draftOf(kept)) !== JSON.stringify(draft);
  const save = useMutation({
    mutationFn: (is_published: boolean) =>
      kept
        ? call('changeHelpArticle', { ...draft, id: kept.id, updated_at: kept.updated_at, is_published })
        : call('addHelpArticle', { ...draft, default_lang: own, is_published }),
    onSuccess: (saved) => {
      toast({ kind: 'success', text: t(saved.is_published ? 'saved_published' : 'saved_draft') });
      void refresh();
      if (kept) {
        setKept(saved);
        setDraft(draftOf(saved));
        return;
      }
      isLeaving.current = true;
      navigate(screenPath('help', String(saved.id)), { replace: true });
    },
  });
  const submit = (isPublished: boolean): void => {
    const found = problemOf(draft, isPublished);
    setProblem(found);
    if (!found) save.mutate(isPublished);
  };
  const change = (part: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setProblem(undefined);
    if (save.isError) save.reset();
  };
  const isPublished = kept?.is_published ?? false;
  const busy = save.isPending;
  return (
    <>
      <PageHeader
        title={t(kept ? 'edit_title' : 'add')}
        lead={
          <Badge tone={isPublished ? 'positive' : 'neutral'}>{t(isPublished ? 'published' : 'draft')}</Badge>
        }
        back={
          <Link to={screenPath('help')}>
            <ArrowLeftIcon size={16} />
            {t('title')}
          </Link>
        }
        actions={
          <>
            {isPublished && kept && (
              <a href={`${HELP_PATH}${kept.id}`} target="_blank" rel="noopener" className={styles.view}>
                {t('view')}
              </a>
            )}
            <Button variant="outline" busy={busy} onClick={() => submit(false)}>
              {t(isPublished ? 'withdraw' : 'save_draft')}
            </Button>
            <Button variant="primary" busy={busy} onClick={() => submit(true)}>
              {t(isPublished ? 'save' : 'publish')}
            </Button>
          </>
        }
      />
      {(save.isError || problem === 'body_missing') && (
        <p className={styles.problem} role="alert">
          {t(save.isError ? failureOf(save.error) : 'body_missing')}
        </p>
      )}
      <div className={styles.editor}>
        <div className={styles.fields}>
          <CategoryChoice value={draft.category_id} onChange={(category_id) => change({ category_id })} />
          <Tabs
            label={t('languages')}
            value={language}
            onChange={setLanguage}
            tabs={LANGUAGES.map((id) => ({
              id,
              lang: id,
              label: LANGUAGE_NAMES[id],
              mark: isWritten(draft, id) ? { tone: 'done', label: t('written') } : undefined,
            }))}
            panel="help-text"
          />
          <div id="help-text" role="tabpanel" aria-label={LANGUAGE_NAMES[language]} className={styles.fields}>
            <TextField
              label={t('article_title')}
              value={draft.title[language] ?? ''}
              onValueChange={(text) => change({ title: { ...draft.title, [language]: text } })}
              lang={language}
              maxLength={HELP_LIMITS.title}
              error={problem === 'title_missing' ? t('title_missing') : undefined}
            />
            <MarkdownField
              key={language}
              value={draft.body[language] ?? ''}
              onChange={(text) => change({ body: { ...draft.body, [language]: text } })}
              lang={language}
              error={problem === 'too_long' ? t('too_long', { limit: HELP_LIMITS.body }) : undefined}
            />
          </div>
        </div>
        <ArticlePreview
          title={draft.title[language] ?? ''}
          body={draft.body[language] ?? ''}
          lang={language}
        />
      </div>
      <LeaveArticle isActive={() => isChanged && !isLeaving.current} warns={isChanged} />
    </>
  );
}

function draftOf(article: EditedArticle | undefined): Draft {
  const { title = {}, body = {}, category_id = null } = article ?? {};
  return { title, body, category_id };
}

function isWritten({ title, body }: Draft, language: Language): boolean {
  return Boolean(title[language]?.trim() && body[language]?.trim());
}

/** What keeps a draft from being saved, or published. */
function problemOf(draft: Draft, isPublished: boolean) {
  const isLong = (text: string): boolean => [...text].length > HELP_LIMITS.body;
  if (Object.values(draft.title).every((text) => text.trim() === '')) return 'title_missing';
  if (Object.values(draft.body).some(isLong)) return 'too_long';
  return isPublished && !LANGUAGES.some((language) => isWritten(draft, language))
    ? 'body_missing'
    : undefined;
}

function failureOf(error: unknown): 'conflict' | 'limit_reached' | 'failed' {
  const reason = isApiError(error) ? error.reason : undefined;
  if (reason === 'CONFLICT') return 'conflict';
  return reason === 'HELP_LIMIT_REACHED' ? 'limit_reached' : 'failed';
}
