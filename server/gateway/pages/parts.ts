import type { FastifyBaseLogger } from 'fastify';
import type { Answered, ServerEntry } from '../../../shared/boot.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { SendShared } from '../answers/send-shared.ts';
import type { ChooseLanguage } from '../language.ts';
import type { Consume } from '../limits/limit-requests.ts';
import type { GatewayConfig } from '../options.ts';
import type { RoleOf } from '../session/roles.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Ask } from './needs.ts';
import type { SiteFacts } from './site-facts.ts';

/** What making a page takes. */
export type PageParts = {
  config: GatewayConfig;
  siteFacts: SiteFacts;
  entry: ServerEntry;
  sessions: Sessions;
  roleOf: RoleOf;
  chooseLanguage: ChooseLanguage;
  /** Whether the login page may stand in a frame of this site. */
  loginFrame: () => boolean;
  /** Whether visitors may make accounts for themselves. */
  signUpOpen: () => Promise<boolean>;
  readNeeds: (ask: Ask) => Promise<Answered[]>;
  pageCache: AnswerCache;
  sendShared: SendShared;
  consume: Consume;
  log: FastifyBaseLogger;
  now: () => number;
};
