import { Transform } from 'node:stream';
import { Parser } from 'tap-parser';

/** @typedef {{ passed: number, failed: number, skipped: Map<string, number> }} Counts cases; skipped ones by reason */

/**
 * Counts the cases of a report: tests without subtests. A test that fails without a failed subtest, such as a process that
 * broke off, is a failed case as well.
 *
 * @param {Parser} parser
 * @param {Counts} counts
 * @param {{ hasCases: boolean }} [test] what the parser reads; none for the whole report, whose tests are processes
 */
function count(parser, counts, test) {
  /** @type {{ hasCases: boolean, failed: number } | undefined} */
  let subtest;
  parser.on('child', (inner) => {
    if (test) test.hasCases = true;
    subtest = { hasCases: false, failed: counts.failed };
    count(inner, counts, subtest);
  });
  parser.on('assert', (/** @type {import('tap-parser').Result} */ result) => {
    const ended = subtest;
    subtest = undefined;
    if (result.skip) {
      if (test) test.hasCases = true;
      const reason = typeof result.skip === 'string' ? result.skip : 'without a reason';
      counts.skipped.set(reason, (counts.skipped.get(reason) ?? 0) + 1);
    } else if (!result.ok && ended?.failed === counts.failed) counts.failed += 1;
    else if (result.ok && test && ended?.hasCases === false) counts.passed += 1;
  });
}

/**
 * Reporter for `tap run`: after the lines of the workers, how many cases passed, failed, and were skipped for which reason.
 * tap wants a class that is the default export.
 */
export default class Summary extends Transform {
  /** @type {Counts} */
  counts = { passed: 0, failed: 0, skipped: new Map() };
  parser = new Parser();

  constructor() {
    super();
    count(this.parser, this.counts);
  }

  /**
   * @override
   * @param {Buffer | string} chunk
   * @param {BufferEncoding} _encoding
   * @param {() => void} done
   */
  _transform(chunk, _encoding, done) {
    this.parser.write(String(chunk));
    done();
  }

  /**
   * @override
   * @param {(error: null, text: string) => void} done
   */
  _flush(done) {
    this.parser.end();
    const { passed, failed, skipped } = this.counts;
    const lines = [...skipped].map(
      ([reason, cases]) => `skipped ${cases} ${cases === 1 ? 'test' : 'tests'}: ${reason}`,
    );
    done(null, ['', ...lines, `${passed} passed, ${failed} failed`, ''].join('\n'));
  }
}
