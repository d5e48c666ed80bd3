import type { UserInfo } from '../../../shared/entities/user.ts';
import type { Account } from '../schema.ts';

/** An account with its membership in the current enterprise, all null when there is none. */
export type Person = Account & {
  member_e_id: number | null;
  department: string | null;
  is_owner: boolean | null;
  is_administrator: boolean | null;
  staff_status: number | null;
};

/** The user info of specification section 3, without tokens. Without an enterprise `e_id` is 0. */
export function userInfoOf(person: Person): UserInfo {
  return {
    user_id: person.user_id,
    user_name: person.user_name,
    nick_name: person.nick_name,
    email: person.email,
    mobile: person.mobile,
    sex: person.sex,
    birthday: person.birthday,
    channel: person.channel,
    tencent_docs: person.tencent_docs,
    avatar_url: person.avatar_url,
    created_at: person.created_at.toISOString(),
    department: person.department ?? '',
    e_id: person.member_e_id ?? 0,
    is_administrator: person.is_administrator ?? false,
    is_owner: person.is_owner ?? false,
    staff_status: person.staff_status ?? 0,
    account_id: person.user_id,
    identification: person.identification,
  };
}
