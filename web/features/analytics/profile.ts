import type { UserInfo } from '../../../shared/entities/user.ts';

/** What people who came by way of the document service are marked with. */
const DOCUMENT_SERVICE = 'tencent_docs';

/** What the collector keeps of a person (specification section 3, "Analytics profile"). */
export function profileOf(user: UserInfo): Record<string, string | number> {
  const { user_id, user_name, nick_name, email, mobile, sex, birthday, channel } = user;
  return {
    yt_uid: user_id,
    user_name,
    nick_name,
    email,
    mobile,
    sex,
    birthday,
    channel,
    ...(user.tencent_docs && { co_channel_from: DOCUMENT_SERVICE }),
  };
}
