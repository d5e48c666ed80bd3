import type { ExternalPerson } from './method.ts';
import type { FieldNames } from './settings/common.ts';

/** Reads one claim or attribute: its texts, none when it is not there. */
export type ReadField = (name: string) => readonly string[];

/** A person from the claims or attributes of another directory; undefined without a subject. */
export function personOf(names: Required<FieldNames>, read: ReadField): ExternalPerson | undefined {
  const first = (name: string): string | undefined => read(name)[0]?.trim() || undefined;
  const subject = first(names.subject);
  if (subject === undefined) return undefined;
  return {
    subject,
    user_name: first(names.user_name),
    email: first(names.email),
    nick_name: first(names.nick_name),
    mobile: first(names.mobile),
    department: first(names.department),
    avatar_url: first(names.avatar_url),
    groups: read(names.groups),
  };
}
