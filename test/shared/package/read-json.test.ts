import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { linesOf, pointerOf } from '../../../shared/package/json/place.ts';
import { readJson } from '../../../shared/package/json/read-json.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import { bytesOf, goodPackage } from '../../fixtures/packages/base.ts';
import { packageFile } from '../../fixtures/packages/shapes.ts';

t.test('JSON', async (t) => {
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
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        mark,
        fc.boolean(),
        (text, seed, character, isAdded) => {
          const at = seed % (text.length + 1);
          return agrees(text.slice(0, at) + character + text.slice(isAdded ? at : at + 1));
        },
      ),
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
});

t.test('split arrays', async (t) => {
  const LIMITS = { fileBytes: 1000, batchItems: 50 };

  /** The file in chunks of a fixed size. */
  function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  async function split(text: string, limits = LIMITS, size = 7) {
    const items = await Array.fromAsync(packagesIn(pieces(bytesOf(text), size), limits));
    return items.map((item) =>
      'bytes' in item
        ? {
            text: new TextDecoder().decode(item.bytes),
            index: item.index,
            line: item.line,
            pointer: item.pointer,
          }
        : { code: item.finding.code, line: item.finding.line, pointer: item.finding.pointer },
    );
  }

  t.test('an array is split into its items with their positions', async (t) => {
    t.strictSame(await split('[\n {"a":"]}\\""},\n\n [1,[2]] , 5,"x,y"\n]\n'), [
      { text: '{"a":"]}\\""}', index: 0, line: 2, pointer: '/0' },
      { text: '[1,[2]]', index: 1, line: 4, pointer: '/1' },
      { text: '5', index: 2, line: 4, pointer: '/2' },
      { text: '"x,y"\n', index: 3, line: 4, pointer: '/3' },
    ]);
  });

  t.test('an array is split the same way for any chunk size', async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(undefined, 2),
        async (values, size, indent) => {
          const text = JSON.stringify(values, null, indent);
          const items = await split(text, { fileBytes: 1_000_000, batchItems: 50 }, size);
          const read = items.map((item) => JSON.parse(item.text ?? 'null'));
          return JSON.stringify(read) === JSON.stringify(values);
        },
      ),
      { numRuns: 300 },
    );
    t.pass('300 lists');
  });

  t.test('columns are counted like in editors, from the start of the item', async (t) => {
    const bytes = bytesOf('["é😀", {"format":5}]');
    const items = await Array.fromAsync(packagesIn([bytes], LIMITS));
    t.hasStrict(items[1], { line: 1, column: 9, pointer: '/1' });
  });

  t.test('any other file is one package whose lines start with the file', async (t) => {
    for (const text of ['\ufeff\n\n{"a":\n1}', '"[1]"', 'hello', '', '  \n', '\ufeff']) {
      const [item, ...more] = await Array.fromAsync(packagesIn(pieces(bytesOf(text), 2), LIMITS));
      t.strictSame(more, []);
      t.hasStrict(item, { index: 0, line: 1, column: 1, pointer: '' });
      t.strictSame(item && 'bytes' in item && item.bytes, bytesOf(text));
    }
  });

  t.test('an array after a byte order mark and empty lines is recognised', async (t) => {
    t.strictSame(await split('\ufeff\n[{}]', LIMITS, 1), [{ text: '{}', index: 0, line: 2, pointer: '/0' }]);
  });

  t.test('a broken array returns the items before the error', async (t) => {
    const good = { text: '{}', index: 0, line: 1, pointer: '/0' };
    const cases: [text: string, code: string, line: number][] = [
      ['[{},\n]', 'JSON_TRAILING_COMMA', 2],
      ['[{},\n,{}]', 'JSON_VALUE_MISSING', 2],
      ['[{}\n{}]', 'JSON_SYNTAX', 2],
      ['[{},\n// more\n{}]', 'JSON_COMMENT', 2],
      ['[{} /* more */]', 'JSON_COMMENT', 1],
      ['[{}\n', 'JSON_UNFINISHED', 2],
      ['[{},', 'JSON_UNFINISHED', 1],
      ['[{}]\n]', 'JSON_EXTRA', 2],
    ];
    for (const [text, code, line] of cases) {
      t.strictSame(await split(text), [good, { code, line, pointer: '/1' }], text);
    }
    t.strictSame(await split('[ ]'), [{ code: 'BATCH_EMPTY', line: 1, pointer: '/0' }]);
    t.strictSame(await split('[,{}]'), [{ code: 'JSON_VALUE_MISSING', line: 1, pointer: '/0' }]);
    t.strictSame(await split('['), [{ code: 'JSON_UNFINISHED', line: 1, pointer: '/0' }]);
  });

  t.test('a truncated item is returned as it is', async (t) => {
    const items = await split('[{},{"a":[1');
    t.strictSame(items[1], { text: '{"a":[1', index: 1, line: 1, pointer: '/1' });
  });

  t.test('a broken item does not affect the next one', async (t) => {
    const items = await split('[{"a":1,},{"a":nonsense},{}]');
    t.strictSame(
      items.map(({ text }) => text),
      ['{"a":1,}', '{"a":nonsense}', '{}'],
    );
  });

  t.test('only an item above the size limit is left out, and the 51st item ends the array', async (t) => {
    const large = `{"a":"${'x'.repeat(1000)}"}`;
    t.strictSame(await split(`[${large},\n{}]`), [
      { code: 'PACKAGE_TOO_LARGE', line: 1, pointer: '/0' },
      { text: '{}', index: 1, line: 2, pointer: '/1' },
    ]);
    t.strictSame(await split(large), [{ code: 'PACKAGE_TOO_LARGE', line: 1, pointer: '' }]);
    const many = await split(`[${Array(51).fill('{}').join()}]`);
    t.equal(many.length, 51);
    t.hasStrict(many[50], { code: 'BATCH_TOO_MANY_ITEMS', pointer: '/50' });
    t.equal((await split(`[${Array(50).fill('{}').join()}]`)).filter(({ text }) => text === '{}').length, 50);
  });

  t.test('packages of an array are checked with the lines and pointers of the file', async (t) => {
    const limits = { fileBytes: 1_000_000, batchItems: 50 };
    const text = `[\n${goodPackage()},\n${goodPackage().replace('"name": "Palette"', '"name": 5')}\n]`;
    const readings = [];
    for await (const item of packagesIn(pieces(bytesOf(text), 64), limits)) {
      if ('bytes' in item) readings.push(checkPackage(item.bytes, { origin: item }));
    }
    t.strictSame(readings[0]?.findings, []);
    t.hasStrict(readings[1]?.findings, [
      { code: 'FIELD_TYPE', pointer: '/1/manifest/name', line: 34, column: 13 },
    ]);
  });

  t.test('a batch file of a tool', async (t) => {
    const limits = { fileBytes: 1_000_000, batchItems: 50 };
    const names: (string | undefined)[] = [];
    for await (const item of packagesIn(pieces(packageFile('batch.json'), 100), limits)) {
      if ('bytes' in item) names.push(checkPackage(item.bytes, { origin: item }).package?.name);
    }
    t.strictSame(names, ['Colour Steps', 'Сетка', '网格']);
  });
});
