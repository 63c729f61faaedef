/** What other features may use of exports: writing a file, and starting the job that makes one. */
export { CSV_MIME, csvFile, csvLine } from './csv-file.ts'
export { oneColumnSheet } from './one-column-sheet.ts'
export { XLSX_MIME, xlsxBook, xlsxFile, xlsxLine, type XlsxSheet } from './xlsx-file.ts'
export { type ExportInput, queueExport } from './queue-export.ts'
export { permittedList } from './start-export.ts'
