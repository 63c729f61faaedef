/** What a dictionary is called: the product's code tables have a text in every language, others are called what somebody wrote. */
import type { Say } from '../use-say.ts'

export function dictName(
  t: Say,
  { code, typeName, builtIn }: { code: string; typeName: string; builtIn: boolean },
): string {
  return builtIn ? t(`system:dict.table.${code}`, { defaultValue: typeName }) : typeName
}
