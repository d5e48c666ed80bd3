import { COMMUNITY_FAULTS } from './community.ts';
import type { Fault } from './fault.ts';
import { GATEWAY_FAULTS } from './gateway.ts';
import { IDENTITY_FAULTS } from './identity.ts';
import { SESSION_FAULTS } from './sessions.ts';
import { WEB_FAULTS } from './web.ts';

export const FAULTS: readonly Fault[] = [
  ...GATEWAY_FAULTS,
  ...SESSION_FAULTS,
  ...IDENTITY_FAULTS,
  ...COMMUNITY_FAULTS,
  ...WEB_FAULTS,
];
