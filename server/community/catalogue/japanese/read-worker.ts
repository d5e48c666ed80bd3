import type { Tokenizer } from 'lindera-wasm-nodejs-ipadic';

/** A word of a text, and how the dictionary reads it, if it knows the word. */
export type Word = { surface: string; reading: string | null };

let tokenizer: Tokenizer | undefined;

/** Imports the dictionary for a task, which fails without it: a thread that fails when it starts leaves its task waiting. */
async function load(): Promise<Tokenizer> {
  const { TokenizerBuilder } = await import('lindera-wasm-nodejs-ipadic');
  const builder = new TokenizerBuilder();
  builder.setDictionary('embedded://ipadic');
  builder.setMode('normal');
  return builder.build();
}

/** The words of Japanese texts. Runs in a thread that ends when it is idle, for the dictionary takes 140 MB. */
export async function readWords(texts: readonly string[]): Promise<Word[][]> {
  tokenizer ??= await load();
  const reader = tokenizer;
  return texts.map((text) => {
    const tokens: Partial<Word>[] = reader.tokenize(text);
    return tokens.map(({ surface = '', reading = null }) => ({ surface, reading }));
  });
}
