/** The texts of one language by namespace: a table of its own, because each carries the names of all its files and one is read. */
export async function readLocale(namespace: string): Promise<unknown> {
  return ((await import(`../../../locales/en/${namespace}.json`)) as { default: unknown }).default
}
