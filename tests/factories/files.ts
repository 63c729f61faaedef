/** Uploaded files. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n')
/** Files that are neither a picture nor a passive PDF, whatever their name says. */
export const REFUSED_FILES: readonly (readonly [string, Buffer])[] = [
  [
    'a drawing that can act',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  ],
  ['a page', Buffer.from('<!doctype html><script>location = "https://evil.example"</script>')],
  ['a PDF that acts', Buffer.from('%PDF-1.4 << /S /JavaScript /JS (app.alert(1)) >>')],
  ['a PDF that acts in hex', Buffer.from('%PDF-1.4 << /S /J#61vaScript /JS (app.alert(1)) >>')],
  ['a workbook', Buffer.from([0x50, 0x4b, 0x03, 0x04, ...Buffer.alloc(40, 1)])],
  ['lines with commas', Buffer.from('name,amount\nAsha,100\n')],
  ['nothing', Buffer.alloc(0)],
  ['the beginning of a picture alone', PNG.subarray(0, 12)],
  ['a picture that breaks off', PNG.subarray(0, 45)],
  [
    'the name of a picture with anything behind it',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.alloc(40, 1)]),
  ],
]

/** Files are not part of a typed input: they are sent beside it, as a form. */
export const withFiles = <Input extends object>(
  input: Input,
  files: readonly Buffer[] = [PNG],
): Input => ({ ...input, ...({ files } as object) })
