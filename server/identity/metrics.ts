import { Counter, Registry } from 'prom-client';
import type { LoginMethod } from '../../shared/entities/user.ts';
import { isAppError } from '../http/errors.ts';

/** `second_factor_refused`: the first one was right. */
type SignInOutcome = 'success' | 'refused' | 'unavailable' | 'second_factor_refused';

export type IdentityMetrics = ReturnType<typeof createIdentityMetrics>;

/** How users sign in. Label values come from fixed lists. */
export function createIdentityMetrics(registry: Registry = new Registry()) {
  const signIns = new Counter({
    name: 'identity_sign_in_total',
    help: 'Sign-ins by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [registry],
  });
  return {
    countSignIn: (method: LoginMethod, outcome: SignInOutcome) => signIns.inc({ method, outcome }),
    /** Counts a sign-in that failed, by its error. */
    countFailed: (method: LoginMethod, error: unknown) =>
      signIns.inc({ method, outcome: isUnavailable(error) ? 'unavailable' : 'refused' }),
  };
}

function isUnavailable(error: unknown): boolean {
  return !isAppError(error) || error.code === 'SERVICE_UNAVAILABLE';
}
