import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { USER_CODE_PARAMETER } from '../../../shared/constants.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { AskedByTool, Decision } from '../../../shared/routes/oauth.ts';
import type { ErrorMessages } from '../../api/use-failure.ts';
import { useOperation } from '../../api/use-operation.ts';
import { RedirectToSignIn } from '../../features/session/redirect-to-sign-in.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { FormAlert } from '../sign-in/form-alert.tsx';
import plain from '../sign-in/plain-page.module.css';
import { SignInPageFrame } from '../sign-in/sign-in-frame.tsx';
import { Consent } from '../tool-request/consent.tsx';
import styles from './device-page.module.css';

/** Connects a device that cannot show this site itself: its user types here the code that it shows (RFC 8628). */
export function DevicePage() {
  const [query] = useSearchParams();
  const { status, user } = useSession();
  const placeholder = <Skeleton className={plain.placeholder} />;
  return (
    <SignInPageFrame>
      {user && <Device user={user} given={query.get(USER_CODE_PARAMETER) ?? ''} />}
      {status === 'anonymous' && <RedirectToSignIn>{placeholder}</RedirectToSignIn>}
      {status === 'unknown' && placeholder}
    </SignInPageFrame>
  );
}

/** A code, and what the device with it asks for. */
type Found = { code: string; request: AskedByTool };

/** `given`: the code in the address. It is sent only when the user says that they see it on their device. */
function Device({ user, given }: { user: UserInfo; given: string }) {
  const [found, setFound] = useState<Found>();
  return found ? (
    <OfDevice user={user} found={found} />
  ) : (
    <CodeForm given={given} onFound={(code, request) => setFound({ code, request })} />
  );
}

type CodeFormProps = { given: string; onFound: (code: string, request: AskedByTool) => void };

function CodeForm({ given, onFound }: CodeFormProps) {
  const t = useTranslations('device');
  const isHydrated = useIsHydrated();
  usePageHead({ title: t('title') });
  const { control, formState, handleSubmit, setError } = useForm({ defaultValues: { user_code: given } });
  const { mutate, isPending } = useOperation('readDeviceRequest', (user_code: string) => ({ user_code }), {
    failsIn: { setError },
    errorMessages: useCodeErrors(),
    onSuccess: (request, code) => onFound(code, request),
  });
  const submit = handleSubmit(({ user_code }) => {
    if (!isPending) mutate(user_code.trim());
  });
  return (
    <>
      <h1 className={plain.title}>{t('title')}</h1>
      <p className={plain.text}>{t(given === '' ? 'text' : 'text_given')}</p>
      <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
        {formState.errors.root?.message && <FormAlert text={formState.errors.root.message} />}
        <FormTextField
          control={control}
          name="user_code"
          check={(code) => (code.trim() === '' ? t('code_missing') : undefined)}
          label={t('code')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          maxLength={64}
          spellCheck={false}
          required
        />
        <p className={styles.warning}>{t('warning')}</p>
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={isPending}>
          {t('go_on')}
        </Button>
      </form>
    </>
  );
}

type OfDeviceProps = { user: UserInfo; found: Found };

function OfDevice({ user, found: { code, request } }: OfDeviceProps) {
  const t = useTranslations('device');
  const attempt = useOperation(
    'answerDeviceRequest',
    (decision: Decision) => ({ user_code: code, decision }),
    { failsIn: 'toast', errorMessages: useCodeErrors() },
  );
  const done = t(attempt.variables === 'allow' ? 'done' : 'refused');
  return (
    <Consent user={user} request={request} attempt={attempt} done={done}>
      <p className={styles.warning}>{t('warning')}</p>
    </Consent>
  );
}

/** Where no tool may connect, no code is right. */
function useCodeErrors(): ErrorMessages<{ user_code: string }> {
  const t = useTranslations();
  const wrong = { at: 'user_code', text: t('device.code_wrong') } as const;
  return ({ reason, retryAfter: seconds }) => {
    if (reason === 'DEVICE_CODE_INVALID' || reason === 'NOT_FOUND') return wrong;
    return reason === 'TOO_MANY_REQUESTS' && seconds !== undefined
      ? t('signIn.too_many_seconds', { seconds })
      : undefined;
  };
}
