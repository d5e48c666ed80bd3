import { type ReactNode, useMemo } from 'react';
import { IntlProvider, type Messages, useLocale, useMessages } from 'use-intl';

type Props = { texts: Partial<Messages>; children: ReactNode };

/** Puts texts that did not come with the first page beside those that did. */
export function MoreTexts({ texts, children }: Props) {
  const inherited = useMessages();
  const messages = useMemo(() => ({ ...inherited, ...texts }), [inherited, texts]);
  return (
    <IntlProvider locale={useLocale()} messages={messages}>
      {children}
    </IntlProvider>
  );
}
