import { pinyin } from 'pinyin-pro';

const HAN = /\p{Script=Han}+/gu;
/** Nobody types more syllables at once. */
const SYLLABLES_MAX = 8;

/**
 * The readings of Chinese characters in Latin letters without tones (pinyin, `v` for `ü`), from each character on: a name is
 * found by the beginning of any of them. 批量图标: piliangtubiao, liangtubiao, tubiao, biao.
 */
export function readingsOf(text: string): string[] {
  return (text.match(HAN) ?? []).flatMap((run) => {
    const syllables = pinyin(run, { toneType: 'none', type: 'array', v: true });
    return syllables.map((_, from) => syllables.slice(from, from + SYLLABLES_MAX).join(''));
  });
}
