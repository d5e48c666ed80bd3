import { useTranslations } from 'use-intl';
import type { ErrorCode } from '../../../shared/errors.ts';
import { FormAlert } from './form-alert.tsx';

type Text = 'sso_refused' | 'sso_setup' | 'sso_unavailable' | 'sso_unknown' | 'account_disabled';

const TEXTS: Readonly<Partial<Record<ErrorCode, Text>>> = {
  SERVICE_UNAVAILABLE: 'sso_unavailable',
  SIGN_IN_MISCONFIGURED: 'sso_setup',
  SSO_ACCOUNT_UNKNOWN: 'sso_unknown',
  ACCOUNT_DISABLED: 'account_disabled',
};

const textOf = (code: string): Text => new Map(Object.entries(TEXTS)).get(code) ?? 'sso_refused';

/** Why another identity provider returned the user without a sign-in. */
export function SsoError({ code }: { code: string }) {
  const t = useTranslations('signIn');
  return <FormAlert text={t(textOf(code))} />;
}
