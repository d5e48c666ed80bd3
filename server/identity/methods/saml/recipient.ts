import type { Profile } from '@node-saml/node-saml';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The part of a signed assertion, as the library reads XML, that says where it may be used. */
const Confirmed = Type.Object({
  Assertion: Type.Object({
    Subject: Type.Array(
      Type.Object({
        SubjectConfirmation: Type.Array(
          Type.Object({
            SubjectConfirmationData: Type.Array(
              Type.Object({ $: Type.Object({ Recipient: Type.String() }) }),
              { minItems: 1 },
            ),
          }),
          { minItems: 1 },
        ),
      }),
      { minItems: 1 },
    ),
  }),
});

/**
 * Whether every confirmation of the subject names our address (SAML profiles section 4.1.4.3): an assertion that was made
 * for another service provider of the same name is not ours.
 */
export function isMeantFor(profile: Profile, callbackUrl: string): boolean {
  const read: unknown = profile.getAssertion?.();
  if (!Value.Check(Confirmed, read)) return false;
  return recipientsOf(read).every((recipient) => recipient === callbackUrl);
}

function recipientsOf({ Assertion }: Static<typeof Confirmed>): string[] {
  return Assertion.Subject.flatMap(({ SubjectConfirmation }) =>
    SubjectConfirmation.flatMap(({ SubjectConfirmationData }) =>
      SubjectConfirmationData.map(({ $ }) => $.Recipient),
    ),
  );
}
