/** The colours of a glyph: its body, its second tone, and the background that cuts into it. */
export interface GlyphInk {
  solid: string;
  tint: string;
  cut: string;
}

/** Draws a glyph in a 512 × 512 field, its body within about 112 to 400. */
export type Glyph = (ink: GlyphInk) => string;
