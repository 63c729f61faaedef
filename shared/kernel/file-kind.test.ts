import { expect, test } from 'vitest'
import { fileKindOf, sheetKindOf } from './file-kind.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const PNG = bytes(`\x89PNG\r\n\x1a\n${'\0'.repeat(40)}`)
const JPG = bytes(`\xff\xd8\xff\xe0${'\0'.repeat(40)}`)
const pdf = (inside: string) => bytes(`%PDF-1.7\n1 0 obj << ${inside} >> endobj\n%%EOF\n`)

test('a picture and a PDF are known by their first bytes', () => {
  expect([PNG, JPG, pdf('/Type /Catalog /OpenAction [3 0 R /Fit]')].map(fileKindOf)).toEqual([
    'png',
    'jpg',
    'pdf',
  ])
})

test('the file name and type sent with a file do not make it a picture', () => {
  for (const other of [
    '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    '<!doctype html><script>1</script>',
    'GIF89a and more bytes behind it',
    'PK\x03\x04 a sheet is a zip file',
    ' %PDF-1.7 behind a blank, long enough',
    'MZ\x90 a program of some length',
  ]) {
    expect(fileKindOf(bytes(other)), other).toBeNull()
  }
})

test('content shorter than a signature has no kind', () => {
  expect([PNG.slice(0, 12), new Uint8Array()].map(fileKindOf)).toEqual([null, null])
})

test('a PDF with active content is refused, however its names are encoded', () => {
  for (const inside of [
    '/OpenAction << /S /JavaScript /JS (x) >>',
    '/AA << /O << /S /Launch >> >>',
    '/Names << /EmbeddedFiles 4 0 R >>',
    '/S /J#61vaScript',
    '/#4a#53 (x)',
  ])
    expect(fileKindOf(pdf(inside)), inside).toBeNull()
  expect(fileKindOf(pdf('/JSTOR /Launcher'))).toBe('pdf')
})

test('a sheet is a zip or plain text; a picture is none', () => {
  expect(
    [bytes('PK\x03\x04 and the rest'), bytes('L10000001\r\nL10000002\t')].map(sheetKindOf),
  ).toEqual(['xlsx', 'csv'])
  expect([PNG, JPG, new Uint8Array(), bytes('MZ\x90\x00')].map(sheetKindOf)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
