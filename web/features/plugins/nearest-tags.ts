import type { Tag } from '../../../shared/entities/plugin.ts';

const SHOWN = 6;

/** The tags whose names have most in common with a keyword, then the first ones. */
export function nearestTags(tags: readonly Tag[], keyword: string): Tag[] {
  const wanted = pairsOf(keyword);
  return tags
    .map((tag) => ({ tag, likeness: likeness(wanted, pairsOf(tag.name)) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, SHOWN)
    .map(({ tag }) => tag);
}

/** Neighbouring characters, and single ones for scripts in which each is a word. */
function pairsOf(text: string): Set<string> {
  const characters = [...text.normalize('NFKC').toLowerCase()].filter((character) => character.trim() !== '');
  const single = characters.filter((character) => /\p{Script=Han}/u.test(character));
  return new Set([...single, ...characters.slice(1).map((character, at) => `${characters[at]}${character}`)]);
}

/** The share of pairs that both have (Dice's coefficient), 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((pair) => b.has(pair)).length;
  return both === 0 ? 0 : (2 * both) / (a.size + b.size);
}
