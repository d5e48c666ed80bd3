import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';

/** Tells of a sign-in that the gateway could not finish, once: its word is taken out of the address. */
export function useLoginError(tell: () => void): void {
  const [query, setQuery] = useSearchParams();
  const failed = query.has(LOGIN_ERROR_PARAMETER);
  const onFailed = useEffectEvent(() => {
    tell();
    setQuery(
      (current) => {
        current.delete(LOGIN_ERROR_PARAMETER);
        return current;
      },
      { replace: true },
    );
  });
  useEffect(() => {
    if (failed) onFailed();
  }, [failed]);
}
