/** Name of a country in the user's language. The codes are ISO 3166 except for Kenya's. */
export function countryName(code: string, language: string): string {
  const iso = code === 'KEN' ? 'KE' : code
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(iso) ?? code
  } catch {
    return code
  }
}
