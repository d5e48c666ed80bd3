/** What spreadsheets take for the beginning of a formula, in full width too, also behind white space. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * A line of CSV (RFC 4180), every field in quotes. A field that a spreadsheet would run as a formula begins with an
 * apostrophe, which makes it a text.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: string): string {
  const harmless = FORMULA.test(field) ? `'${field}` : field;
  return `"${harmless.replaceAll('"', '""')}"`;
}
