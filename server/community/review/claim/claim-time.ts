/** A claim holds this long, milliseconds; who goes on reviewing renews it. */
export const CLAIM_TIME = 15 * 60 * 1000;
