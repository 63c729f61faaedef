/** What other features may use of exports: how a file is written. */
export { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
export { XLSX_MIME, xlsxBook, xlsxFile, xlsxLine, type XlsxSheet } from './xlsx-file.ts'
