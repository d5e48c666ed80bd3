import {
  type Client,
  ConstraintViolationError,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  UnwillingToPerformError,
} from 'ldapts';

/** What directories say to a wrong, expired or locked password (RFC 4511 appendix A). */
const REFUSALS = [
  InvalidCredentialsError,
  ConstraintViolationError,
  InappropriateAuthError,
  InsufficientAccessError,
  UnwillingToPerformError,
];

/** Whether the directory lets this entry in with this password. The connection speaks for it from then on. */
export async function provePassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (REFUSALS.some((refusal) => error instanceof refusal)) return false;
    throw error;
  }
}
