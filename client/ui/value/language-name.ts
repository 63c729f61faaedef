/** Name of a language in the user's language; its code where the browser does not know it. */
export function languageName(code: string, reader: string): string {
  try {
    return (
      new Intl.DisplayNames([reader, 'en'], { type: 'language', fallback: 'code' }).of(code) ?? code
    )
  } catch {
    // A device may report any value.
    return code
  }
}
