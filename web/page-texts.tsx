import type { ComponentType } from 'react';
import type { Messages } from 'use-intl';
import { MoreTexts } from './layout/more-texts.tsx';

/** A page that shows more texts than came with the first one: they are put beside those that are there. */
export function withTexts(Page: ComponentType, texts: Partial<Messages>): ComponentType {
  return function PageWithTexts() {
    return (
      <MoreTexts texts={texts}>
        <Page />
      </MoreTexts>
    );
  };
}
