import type { ChooseLanguage } from '../language.ts';
import type { PublishTokenOf } from '../publish-token.ts';
import type { RoleOf } from '../session/roles.ts';
import type { Sessions } from '../session/sessions.ts';
import type { KnownDevices } from '../sign-in/cookies.ts';
import type { Upstreams } from '../upstream/upstream.ts';

/** What passing a call on takes. */
export type ProxyParts = {
  sessions: Sessions;
  devices: KnownDevices;
  upstreams: Upstreams;
  roleOf: RoleOf;
  chooseLanguage: ChooseLanguage;
  publicUrl: URL;
  publishTokenOf: PublishTokenOf;
};
