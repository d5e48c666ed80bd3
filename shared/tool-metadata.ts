/** What a tool may do for a user: scopes of its access tokens (RFC 6749 section 3.3). */
export const TOOL_SCOPES = ['plugins:read', 'plugins:install', 'plugins:publish'] as const;

/** For a device without a browser of its own (RFC 8628). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** How tools connect. */
export const TOOL_GRANTS = ['authorization_code', DEVICE_CODE_GRANT] as const;

export const TOOL_NAME_MAX = 60;
export const REDIRECT_ADDRESSES_MAX = 20;

/** `client_id` of a tool (RFC 6749 section 2.2). */
export const CLIENT_ID = '^[A-Za-z0-9._-]{1,64}$';
const clientId = new RegExp(CLIENT_ID);

export function isClientId(text: string): boolean {
  return clientId.test(text);
}

/** Home page of a tool. */
export const CLIENT_URI = '^https?://[^\\s]+$';
const clientUri = new RegExp(CLIENT_URI);

export function isClientUri(text: string): boolean {
  return clientUri.test(text) && URL.canParse(text);
}
