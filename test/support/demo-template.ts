/**
 * The demo catalogue that a whole run makes once (make-demo.ts): the database to copy and the folder of its files.
 * Undefined where a file is run by itself.
 */
export function demoTemplate(): { database: string; files: string } | undefined {
  const { TEST_DEMO_DATABASE: database, TEST_DEMO_FILES: files } = process.env;
  return database !== undefined && files !== undefined ? { database, files } : undefined;
}
