import { TokenizerBuilder } from 'lindera-wasm-nodejs-ipadic';

/** A word of a text, and how the dictionary reads it, if it knows the word. */
export type Word = { surface: string; reading: string | null };

const builder = new TokenizerBuilder();
builder.setDictionary('embedded://ipadic');
builder.setMode('normal');
const tokenizer = builder.build();

/** The words of Japanese texts. Runs in a thread that ends when it is idle, for the dictionary takes some 100 MB. */
export function readWords(texts: readonly string[]): Word[][] {
  return texts.map((text) => {
    const tokens: Partial<Word>[] = tokenizer.tokenize(text);
    return tokens.map(({ surface = '', reading = null }) => ({ surface, reading }));
  });
}
