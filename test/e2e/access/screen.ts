import type { Page } from 'playwright-core';

export type Who = 'visitor' | 'member' | 'administrator';

/** What there is in the product that is looked at. */
export type Facts = {
  /** Key of a plugin of the catalogue. */
  pluginKey: string;
  /** Id of a tag of the catalogue. */
  tagId: number;
  /** Key of the member's own plugin, which is live and which he has installed. */
  ownKey: string;
  /** Id of a submission that waits for review. */
  submissionId: number;
};

export type States = Readonly<Record<string, (page: Page) => Promise<void>>>;

/** A page of the product, and what one can make of it without leaving. */
export type Screen = {
  name: string;
  who: Who;
  path: string;
  /** Other looks of the page, each made from the one before. */
  states?: States;
  /** Looks that only small windows have, each made from the one before. */
  narrowStates?: States;
};
