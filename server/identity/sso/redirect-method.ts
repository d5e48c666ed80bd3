import type { RedirectMethod, SignInMethod } from '../methods/method.ts';

const isRedirect = (method: SignInMethod): method is RedirectMethod => method.kind === 'redirect';

/** The sign-in page elsewhere that goes by this name. */
export function redirectMethod(methods: readonly SignInMethod[], source: string): RedirectMethod | undefined {
  return methods.filter(isRedirect).find((method) => method.source === source);
}
