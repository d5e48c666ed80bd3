import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, TOOL_REQUEST_PARAMETER } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { AskedByTool, Decision } from '../../../shared/routes/oauth.ts';
import { isUnauthenticated } from '../../api/api-error.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useOperation } from '../../api/use-operation.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { RedirectToSignIn } from '../../features/session/redirect-to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import plain from '../sign-in/plain-page.module.css';
import { SignInPageFrame } from '../sign-in/sign-in-frame.tsx';
import { Consent } from './consent.tsx';

/** A design tool asks to act for the user, who allows or refuses it. */
export function ToolRequestPage() {
  const [query] = useSearchParams();
  const { status, user } = useSession();
  const uid = query.get(TOOL_REQUEST_PARAMETER);
  const placeholder = <Skeleton className={plain.placeholder} />;
  return (
    <SignInPageFrame>
      {uid === null && <Over reason="error" />}
      {uid !== null && user && <ToolRequest uid={uid} user={user} />}
      {uid !== null && status === 'anonymous' && <RedirectToSignIn>{placeholder}</RedirectToSignIn>}
      {uid !== null && status === 'unknown' && placeholder}
    </SignInPageFrame>
  );
}

function ToolRequest({ uid, user }: { uid: string; user: UserInfo }) {
  const request = useQuery(queryOptionsOf('readToolRequest', { uid }));
  const { data, error } = request;
  if (data) return <OfBrowser uid={uid} user={user} request={data} />;
  if (!error) return <Skeleton className={plain.placeholder} />;
  if (isUnauthenticated(error)) return <RedirectToSignIn>{null}</RedirectToSignIn>;
  // Without tools, the site does not know any request.
  if (error.reason === 'TOOL_REQUEST_INVALID' || error.reason === 'NOT_FOUND') return <Over reason="over" />;
  return <QueryError error={error} busy={request.isFetching} onRetry={() => void request.refetch()} />;
}

type OfBrowserProps = { uid: string; user: UserInfo; request: AskedByTool };

/** After the answer, the browser goes on to the tool. */
function OfBrowser({ uid, user, request }: OfBrowserProps) {
  const t = useTranslations('toolRequest');
  const attempt = useOperation('answerToolRequest', (decision: Decision) => ({ uid, decision }), {
    failsIn: 'toast',
    onSuccess: ({ continue_to }) => location.assign(continue_to),
  });
  const done = t('done', { tool: request.client_name });
  return <Consent user={user} request={request} attempt={attempt} done={done} />;
}

/** There is nothing to answer. */
function Over({ reason }: { reason: 'over' | 'error' }) {
  const t = useTranslations();
  const title = t(`toolRequest.${reason}_title`);
  usePageHead({ title });
  return (
    <>
      <h1 className={plain.title}>{title}</h1>
      <p className={plain.text}>{t(`toolRequest.${reason}_text`)}</p>
      <div className={plain.actions}>
        <a className={buttonClass({ variant: 'primary', size: 'l' })} href={BASE_PATH}>
          {t('error.back_home')}
        </a>
      </div>
    </>
  );
}
