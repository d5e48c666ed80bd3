/** What a tooltip says: plain text, or HTML that is made harmless before it is shown. */
export type TooltipContent = { text: string; html?: never } | { html: string; text?: never };
