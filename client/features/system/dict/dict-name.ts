/**
 * The name of a dictionary: built-in code tables have a text in every language, others their stored
 * name.
 */
import type { Text } from '#client/base/use-text.ts'

export function dictName(
  t: Text,
  { code, typeName, builtIn }: { code: string; typeName: string; builtIn: boolean },
): string {
  return builtIn ? t(`system:dict.table.${code}`, { defaultValue: typeName }) : typeName
}
