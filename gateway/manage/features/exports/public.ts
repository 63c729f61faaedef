/** What other features may use of exports: writing a file. */
export { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
export { XLSX_MIME, xlsxBook, xlsxFile, xlsxLine, type XlsxSheet } from './xlsx-file.ts'
