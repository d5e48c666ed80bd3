import { type ComponentType, useMemo } from 'react';
import { IntlProvider, type Messages, useLocale, useMessages } from 'use-intl';

/** A page that shows more texts than came with the first one: they are put beside those that are there. */
export function withTexts(Page: ComponentType, texts: Partial<Messages>): ComponentType {
  return function PageWithTexts() {
    const inherited = useMessages();
    const messages = useMemo(() => ({ ...inherited, ...texts }), [inherited]);
    return (
      <IntlProvider locale={useLocale()} messages={messages}>
        <Page />
      </IntlProvider>
    );
  };
}
