import { useMutation } from '@tanstack/react-query';
import { useLocale } from 'use-intl';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../shared/languages.ts';
import type { Challenge } from '../../../shared/routes/sign-in.ts';
import { call } from '../../api/client.ts';
import type { FormKind, SignInValues } from './sign-in-fields.ts';
import type { SignInParameters } from './sign-in-parameters.ts';

/** Sends a form and, once the account is accepted, leaves for where its owner came from, unless more is wanted first or a
 * mail leads on. */
export function useAttempt(
  mode: FormKind,
  parameters: SignInParameters,
  {
    onChallenge,
    onMailed,
  }: { onChallenge: (challenge: Challenge) => void; onMailed: (email: string) => void },
) {
  const locale = useLocale();
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  return useMutation({
    mutationFn: async ({ account, email, nick_name, password }: SignInValues) => {
      if (mode === 'sign_in') return call('signIn', { ...parameters, account: account.trim(), password });
      const asking = { ...parameters, email: email.trim() };
      const person = { nick_name: nick_name.trim(), password };
      const sent = mode === 'sign_up' ? { ...asking, ...person } : { ...asking, language };
      return { ...(await call('signUp', sent)), challenge: null };
    },
    onSuccess: ({ continue_to, challenge }, { email }) => {
      if (challenge) onChallenge(challenge);
      else if (continue_to !== null) location.replace(continue_to);
      else onMailed(email.trim());
    },
  });
}
