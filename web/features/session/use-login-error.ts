import { useEffect, useEffectEvent } from 'react';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { useLatestSearchParams } from '../../api/latest-location.ts';

/** Tells of a sign-in that the gateway could not finish, once: its code is taken out of the address. */
export function useLoginError(tell: (code: string) => void): void {
  const [query, setQuery] = useLatestSearchParams();
  const code = query.get(LOGIN_ERROR_PARAMETER);
  const onFailed = useEffectEvent((failure: string) => {
    tell(failure);
    setQuery((current) => current.delete(LOGIN_ERROR_PARAMETER), { replace: true });
  });
  useEffect(() => {
    if (code !== null) onFailed(code);
  }, [code]);
}
