import { BIND_PATH, SSO_ERROR_PARAMETER } from '../../../shared/constants.ts';
import type { IdentityContext } from '../context.ts';
import { pendingBind } from '../external/bind.ts';
import type { ExternalPerson } from '../methods/method.ts';

type Parameters = Readonly<Record<string, string>>;

/** The bind page for an account that a document service has proved, to be bound to the person who has begun this. */
export async function toFinishBind(
  identity: IdentityContext,
  { parameters, source, person }: { parameters: Parameters; source: string; person: ExternalPerson },
): Promise<string> {
  const { bind_for, ux_from: _from, login_source_id: _id, ...onward } = parameters;
  const id = await pendingBind(identity, { source, subject: person.subject, userId: Number(bind_for) });
  return bindPage(identity.publicUrl, { id, ...onward });
}

/** The bind page as it was opened, with the reason why it is shown again. */
export function bindPageAgain(publicUrl: string, parameters: Parameters, code: string): string {
  const { bind_for: _for, ...asked } = parameters;
  return bindPage(publicUrl, { ...asked, [SSO_ERROR_PARAMETER]: code });
}

function bindPage(publicUrl: string, query: Record<string, string>): string {
  return `${publicUrl}${BIND_PATH}?${new URLSearchParams(query)}`;
}
