/** A language in the words of the reader; its code where the browser knows none. */
export function languageName(code: string, reader: string): string {
  try {
    return (
      new Intl.DisplayNames([reader, 'en'], { type: 'language', fallback: 'code' }).of(code) ?? code
    )
  } catch {
    // a device may tell anything
    return code
  }
}
