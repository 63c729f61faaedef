/**
 * A cell that a spreadsheet opens without running or rewriting anything (OWASP ASVS 1.2.10).
 */

/** Starts a formula in some spreadsheet; the full-width signs count as well. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
/** A phone or a long id would lose its zeros or turn into 9.8E+11. */
const REWRITTEN = /^0\d+$|^\d{11,}$/

/** A leading apostrophe keeps a text from running as a formula. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) && text !== '-' ? `'${text}` : text
}

/**
 * The same for formats that know no types (CSV, clipboard): digits stay as they are written, too.
 */
export function safeCell(text: string): string {
  return REWRITTEN.test(text) ? `'${text}` : withoutFormula(text)
}
