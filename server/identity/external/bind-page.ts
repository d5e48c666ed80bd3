import { BASE_PATH, LOGIN_PATH } from '../../../shared/constants.ts';

/** Where a person binds a sign-in to the account that has his e-mail address (specification section 2). */
export function bindPage(publicUrl: string, id: string): string {
  return `${publicUrl}${LOGIN_PATH}/bind?${new URLSearchParams({ id, mainUrl: BASE_PATH })}`;
}
