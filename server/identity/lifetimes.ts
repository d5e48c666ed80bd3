/** How long tokens, codes, links and records are valid or stored, in milliseconds. */
export const ACCESS_TOKEN_LIFETIME = 15 * 60 * 1000;
export const CODE_LIFETIME = 60 * 1000;
/** Counted from the sign-in; nothing extends a session. */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60 * 1000;
/**
 * A replaced refresh token stays valid a little longer, for requests in flight and for a lost answer, which the gateway
 * asks for again when its timeout is over.
 */
export const REPLACED_TOKEN_GRACE = 30 * 1000;
/** How long a sign-in at an identity provider may take. */
export const SSO_LIFETIME = 10 * 60 * 1000;
/** How long a sign-in counts as recent, in place of a password or for a user without one. */
export const RECENT_SIGN_IN = 5 * 60 * 1000;
/** How long users have to enter a second-factor code, or to set up the second factor. */
export const CHALLENGE_LIFETIME = 10 * 60 * 1000;
/** How long used codes are stored, so that a second use is detected (RFC 6749 section 4.1.2). */
export const USED_CODE_RETENTION = 24 * 60 * 60 * 1000;
/** Minimum interval between updates of a session's last activity. */
export const ACTIVITY_INTERVAL = 60 * 1000;
/** Lifetime of a link to set a new password: a mailed one, and one that an administrator hands over. */
export const RESET_LIFETIME = 30 * 60 * 1000;
export const HANDED_LINK_LIFETIME = 24 * 60 * 60 * 1000;
/** Lifetime of the link of an invitation; administrators create further ones. */
export const INVITATION_LIFETIME = 7 * 24 * 60 * 60 * 1000;
/** How long a sign-in cancels the deletion of an account. */
export const DELETION_DELAY = 14 * 24 * 60 * 60 * 1000;
/** Lifetime of a mailed link that verifies an address. */
export const ADDRESS_LINK_LIFETIME = 24 * 60 * 60 * 1000;
/** How long a device, and a network, of a sign-in is known. */
export const DEVICE_LIFETIME = 365 * 24 * 60 * 60 * 1000;
export const NETWORK_LIFETIME = 90 * 24 * 60 * 60 * 1000;
/** How long a user may remove the second factor after setting a new password with a link. */
export const AFTER_RESET_LIFETIME = 10 * 60 * 1000;
/** How long role changes are available to other services. */
export const ROLE_CHANGE_RETENTION = 180 * 24 * 60 * 60 * 1000;
/** How long a mail about an account without a link of its own is tried. */
export const ACCOUNT_MAIL_LIFETIME = 3 * 24 * 60 * 60 * 1000;
/** How long notice mails are stored, so that a repeated request sends no second mail. */
export const NOTICE_MAIL_RETENTION = 30 * 24 * 60 * 60 * 1000;
