import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { linesOf, pointerOf } from '../../../shared/package/json/place.ts';
import { readJson } from '../../../shared/package/json/read-json.ts';

const LIMITS = { depth: 32, values: 50_000, findings: 200 };
/** Errors for texts that are valid JSON. */
const STRICTER = new Set([
  'JSON_DUPLICATE_KEY',
  'JSON_KEY_FORBIDDEN',
  'JSON_KEY_TOO_LONG',
  'JSON_NUMBER_RANGE',
  'JSON_TOO_DEEP',
  'TEXT_LONE_SURROGATE',
  'TEXT_NUL',
]);

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * V8 guesses the next key from objects it has read before, and takes `"a\f"` for `"a\\"` when it has read that one in
 * its place; in a context of its own it has read nothing.
 */
function parsedApart(text: string): unknown {
  return JSON.parse(String(runInNewContext('JSON.stringify(JSON.parse(text))', { text })));
}

/** The parser returns the same as JSON.parse, or refuses the text for an additional reason. */
function agrees(text: string): boolean {
  const expected = parsed(text);
  const { root, errors } = readJson(text, LIMITS);
  if (errors.length === 0) {
    if (expected === undefined) return false;
    return sameJson(root?.value, expected.value) || sameJson(root?.value, parsedApart(text));
  }
  return expected === undefined || errors.every(({ code }) => STRICTER.has(code));
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

t.test('valid JSON gives the same result as JSON.parse', async (t) => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => agrees(text)),
    { numRuns: 500 },
  );
  t.pass('500 texts');
});

t.test('JSON with one changed character gives the same result as JSON.parse', async (t) => {
  const mark = fc.constantFrom(...'{}[]",:\\/*#\'`0123456789.+-eEtfnu \n\t\r\u00a0\ufeffé');
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), mark, fc.boolean(), (text, seed, character, isAdded) => {
      const at = seed % (text.length + 1);
      return agrees(text.slice(0, at) + character + text.slice(isAdded ? at : at + 1));
    }),
    { numRuns: 3000 },
  );
  t.pass('3000 texts');
});

t.test('any text gives a result, with offsets inside the text', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { errors } = readJson(text, LIMITS);
      return errors.length <= 201 && errors.every(({ at }) => at >= 0 && at <= text.length);
    }),
    { numRuns: 2000 },
  );
  t.pass('2000 texts');
});

t.test('a planted error is found at its line', async (t) => {
  const lines = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(lines, fc.nat(), fc.constantFrom('\n', '\r\n'), (words, seed, end) => {
      const planted = seed % words.length;
      const rows = words.map((word, index) => (index === planted ? '  nonsense,' : `  "${word}",`));
      const text = ['[', ...rows, '  0', ']'].join(end);
      const { errors } = readJson(text, LIMITS);
      const [error] = errors;
      return (
        error?.code === 'JSON_LITERAL' &&
        pointerOf(error.path) === `/${planted}` &&
        linesOf(text)(error.at).line === planted + 2 &&
        linesOf(text)(error.at).column === 3
      );
    }),
  );
  t.pass('lines and columns hold');
});

t.test('lines far into a text are found in any order', async (t) => {
  const text = 'ab\n'.repeat(100_000);
  const lineOf = linesOf(text);
  for (const line of [100_000, 1, 30_000, 65_537, 2]) {
    t.strictSame(lineOf((line - 1) * 3 + 1), { line, column: 2 });
  }
  t.strictSame(lineOf(text.length + 5), { line: 100_001, column: 1 });
});

t.test('of two members with the same key the first is used, and the error has both lines', async (t) => {
  const { root, errors } = readJson('{"a":1,\n"a":2,\n"__proto__":{"b":1}}', LIMITS);
  t.strictSame(root?.value, { a: 1 });
  t.hasStrict(errors, [
    { code: 'JSON_DUPLICATE_KEY', path: ['a'], otherAt: 1 },
    { code: 'JSON_KEY_FORBIDDEN', path: ['__proto__'] },
  ]);
  t.equal(Object.getPrototypeOf(root?.value), Object.prototype);
});

t.test('the error is at the character after a literal, not at the literal', async (t) => {
  const found = (text: string) => readJson(text, LIMITS).errors;
  t.hasStrict(found('[true\u00a0]'), [
    { code: 'JSON_SYNTAX', at: 5, params: { expected: ', ]', found: 'U+00A0' } },
  ]);
  t.hasStrict(found('{"a":null\ufeff}'), [
    { code: 'JSON_SYNTAX', at: 9, params: { expected: ', }' }, path: ['a'] },
  ]);
  t.hasStrict(found("false'"), [{ code: 'JSON_EXTRA', at: 5, params: { found: "'" } }]);
  t.hasStrict(found('[0true]'), [{ code: 'JSON_NUMBER', at: 1, params: { found: '0true' } }]);
});

t.test('depth and number of values are limited', async (t) => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  t.strictSame(readJson(deep(32), LIMITS).errors, []);
  t.hasStrict(readJson(deep(33), LIMITS).errors, [
    { code: 'JSON_TOO_DEEP', at: 32, params: { limit: '32' } },
  ]);
  t.strictSame(readJson('[1,2]', { ...LIMITS, values: 3 }).errors, []);
  t.hasStrict(readJson('[1,2,3]', { ...LIMITS, values: 3 }).errors, [
    { code: 'JSON_TOO_MANY_VALUES', at: 5 },
  ]);
});
