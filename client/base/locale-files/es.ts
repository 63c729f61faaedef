/**
 * The files of one language by namespace. Each language has its own table, because a table contains
 * the names of all its chunks and only one language is used.
 */
export async function readLocale(namespace: string): Promise<unknown> {
  return ((await import(`../../../locales/es/${namespace}.json`)) as { default: unknown }).default
}
