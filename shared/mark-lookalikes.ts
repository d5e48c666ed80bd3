/**
 * Characters that pass for the mark of verified publishers: check marks, shields and badges. Only the product draws it, so names
 * of plugins and people have none of them.
 */
const LOOKALIKES = [
  '\u2611', // ballot box with check
  '\u2705', // white heavy check mark
  '\u2713', // check mark
  '\u2714', // heavy check mark
  '\u2bbd', // ballot box with light check
  '\u{10102}', // Aegean check mark
  '\u{1f197}', // squared OK
  '\u{1f396}', // military medal
  '\u{1f3c5}', // sports medal
  '\u{1f3f5}', // rosette
  '\u{1f4db}', // name badge
  '\u{1f530}', // green shield with leaf, as shown by many
  '\u{1f5f8}', // light check mark
  '\u{1f5f9}', // ballot box with bold check
  '\u{1f6e1}', // shield
  '\u{1faaa}', // identification card
];

const LOOKALIKE = new RegExp(`[${LOOKALIKES.join('')}]\\ufe0f?`, 'gu');

/** The first such character of a text, or undefined. */
export function markLookalikeIn(text: string): string | undefined {
  return text.match(LOOKALIKE)?.[0];
}

/** A text without them, for names that come from elsewhere. */
export function withoutMarkLookalikes(text: string): string {
  return text.replace(LOOKALIKE, '').trim();
}
