import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { AskedByTool, Decision } from '../../../shared/routes/oauth.ts';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { userName } from '../../features/session/use-session.ts';
import { ToolRights } from '../../features/tools/tool-rights.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import plain from '../sign-in/plain-page.module.css';
import styles from './tool-request-page.module.css';

type ConsentProps = {
  user: UserInfo;
  request: AskedByTool;
  /** Sends the answer. */
  attempt: {
    isPending: boolean;
    isSuccess: boolean;
    variables: Decision | undefined;
    mutate: (decision: Decision) => void;
  };
  /** What to do after the answer. */
  done: string;
  /** What to look at before the answer. */
  children?: ReactNode;
};

/** What a tool would be able to do, and the user's answer. */
export function Consent({ user, request, attempt, done, children }: ConsentProps) {
  const t = useTranslations('toolRequest');
  const isHydrated = useIsHydrated();
  const { client_name: tool, client_uri, scope_list, needs_sign_in } = request;
  usePageHead({ title: t('title', { tool }) });
  const isChosen = (decision: Decision) => attempt.isPending && attempt.variables === decision;
  return (
    <>
      <h1 className={plain.title}>{t('title', { tool })}</h1>
      {client_uri && <p className={styles.origin}>{new URL(client_uri).host}</p>}
      {attempt.isSuccess ? (
        <p className={plain.done} role="status">
          {done}
        </p>
      ) : needs_sign_in ? (
        <SignInAgain tool={tool} />
      ) : (
        <>
          <p className={plain.text}>{t('text', { name: userName(user) })}</p>
          <div className={styles.rights}>
            <ToolRights scopes={scope_list} />
          </div>
          <p className={plain.text}>{t('until')}</p>
          {children}
          <div className={plain.actions}>
            {/* A click before hydration would be lost. */}
            <Button
              variant="primary"
              size="l"
              disabled={!isHydrated || isChosen('refuse')}
              busy={isChosen('allow')}
              onClick={() => attempt.mutate('allow')}
            >
              {t('allow')}
            </Button>
            <Button
              variant="outline"
              size="l"
              disabled={!isHydrated || isChosen('allow')}
              busy={isChosen('refuse')}
              onClick={() => attempt.mutate('refuse')}
            >
              {t('refuse')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

function SignInAgain({ tool }: { tool: string }) {
  const t = useTranslations();
  const { pathname, search } = useLocation();
  return (
    <>
      <p className={plain.text}>{t('toolRequest.again', { tool })}</p>
      <div className={plain.actions}>
        <a
          className={buttonClass({ variant: 'primary', size: 'l' })}
          href={signInUrl(`${pathname}${search}`)}
        >
          {t('proof.sign_in')}
        </a>
      </div>
    </>
  );
}
