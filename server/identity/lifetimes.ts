/** How long what the service hands out is good for, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME = 15 * 60 * 1000;
export const CODE_LIFETIME = 60 * 1000;
/** Counted from the sign-in: nothing prolongs a session. */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60 * 1000;
/** A refresh token that was replaced works a little longer, for calls that are under way with it. */
export const REPLACED_TOKEN_GRACE = 60 * 1000;
/** How long a user may take on another sign-in page. */
export const SSO_LIFETIME = 10 * 60 * 1000;
/** How long a sign-in proves who somebody is in place of a password, or where there is none. */
export const RECENT_SIGN_IN = 5 * 60 * 1000;
/** How long users may take to type a code of their second factor, or to set it up. */
export const CHALLENGE_LIFETIME = 10 * 60 * 1000;
/** How long a used code is remembered, so that its second use is recognised (RFC 6749 section 4.1.2). */
export const USED_CODE_MEMORY = 24 * 60 * 60 * 1000;
/** When a session was last active is noted no more often than that. */
export const ACTIVITY_NOTED_EVERY = 60 * 1000;
/** How long a link to set a new password is good: one that was mailed, and one that an administrator hands over. */
export const RESET_LIFETIME = 30 * 60 * 1000;
export const HANDED_LINK_LIFETIME = 24 * 60 * 60 * 1000;
/** How long an account that is to be deleted can be kept by signing in. */
export const DELETION_DELAY = 14 * 24 * 60 * 60 * 1000;
/** How long a mailed link is good that proves an address. */
export const ADDRESS_LINK_LIFETIME = 24 * 60 * 60 * 1000;
/** How long a device is known that signed in, and a network that was signed in from. */
export const DEVICE_LIFETIME = 365 * 24 * 60 * 60 * 1000;
export const NETWORK_LIFETIME = 90 * 24 * 60 * 60 * 1000;
/** How long a user who has set a new password by a link may look after the rest of the account. */
export const AFTER_RESET_LIFETIME = 10 * 60 * 1000;
/** How long another service that was away is told of a new role. */
export const ROLE_CHANGE_MEMORY = 180 * 24 * 60 * 60 * 1000;
/** How long it is remembered which mails were asked for. */
export const NOTICE_MAIL_MEMORY = 30 * 24 * 60 * 60 * 1000;
