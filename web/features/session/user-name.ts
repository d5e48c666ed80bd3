import type { UserInfo } from '../../../shared/entities/user.ts';

/** What a person is called: the name he chose, else what he signs in with. */
export function userName({ nick_name, user_name, email }: UserInfo): string {
  return nick_name.trim() || user_name.trim() || email;
}
