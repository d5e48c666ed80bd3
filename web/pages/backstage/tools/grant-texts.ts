import type { ToolGrant } from '../../../../shared/entities/tool.ts';

/** Texts of the namespace `toolAdmin` for how a tool connects. */
export const GRANT_TEXTS = {
  authorization_code: 'by_browser',
  'urn:ietf:params:oauth:grant-type:device_code': 'by_device',
} as const satisfies Readonly<Record<ToolGrant, string>>;
