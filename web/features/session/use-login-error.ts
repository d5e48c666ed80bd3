import { useEffect, useEffectEvent } from 'react';
import { LOGIN_ERROR_PARAMETER } from '../../../shared/constants.ts';
import { useSearchParams } from '../../routing/use-search-params.ts';

/** Tells of a sign-in that the gateway could not finish, once: its code is taken out of the address. */
export function useLoginError(tell: (code: string) => void): void {
  const [query, setQuery] = useSearchParams();
  const code = query.get(LOGIN_ERROR_PARAMETER);
  const onFailed = useEffectEvent((failure: string) => {
    tell(failure);
    setQuery(
      (current) => {
        current.delete(LOGIN_ERROR_PARAMETER);
        return current;
      },
      { replace: true },
    );
  });
  useEffect(() => {
    if (code !== null) onFailed(code);
  }, [code]);
}
