/** Every file of texts by language and namespace: a table of its own, because it grows with each feature and the login needs two of them. */
export async function readLocale(language: string, namespace: string): Promise<unknown> {
  return ((await import(`../../locales/${language}/${namespace}.json`)) as { default: unknown }).default
}
