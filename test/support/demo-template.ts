/**
 * The demo catalogue that is created once per run (make-demo.ts): the database to copy and the folder of its files.
 * Undefined for a single file.
 */
export function demoTemplate(): { database: string; files: string } | undefined {
  const { TEST_DEMO_DATABASE: database, TEST_DEMO_FILES: files } = process.env;
  return database !== undefined && files !== undefined ? { database, files } : undefined;
}
