import { formatPaise } from '#shared/kernel/money.ts'
import type { Text } from '#client/base/use-text.ts'
import type { Rules } from './rule-types.ts'

export interface RuleChange {
  label: string
  before: string
  after: string
}

/** What saving would change, as text, in the order of the sheet. */
export function ruleChanges(before: Rules, after: Omit<Rules, 'version'>, t: Text): RuleChange[] {
  const now = wordsOf(after, t)
  return wordsOf(before, t).flatMap(([label, old], at) => {
    const next = now[at]?.[1] ?? ''
    return old === next ? [] : [{ label, before: old, after: next }]
  })
}

function wordsOf(
  { perStage, caps, ...rules }: Omit<Rules, 'version'>,
  t: Text,
): [label: string, text: string][] {
  const single = (
    [
      'callFrom',
      'callTo',
      'maxContactsPerDay',
      'maxContactsPerWeek',
      'contactGapMinutes',
      'ptpMaxDays',
      'ptpMaxBroken',
      'stageRunTime',
      'topUpMinutes',
      'topUpUntil',
    ] as const
  ).map((name): [string, string] => [t(`rules.${name}`), String(rules[name])])
  return [
    ...single,
    [t('rules.allocationTimes'), rules.allocationTimes.toSorted().join(', ')],
    ...caps.map(({ role, percent }): [string, string] => [
      `${t('rules.caps')} · ${t(`access:mark.${role}`)}`,
      `${percent} %`,
    ]),
    ...perStage.flatMap(
      ({ stageId, mode, keepCollector, dailyTarget, ...numbers }): [string, string][] => {
        const of = (name: string) => `${t(`rules.stage.${name}`)} · ${stageId}`
        return [
          [of('mode'), t(`mode.${mode}`)],
          [of('keepCollector'), t(keepCollector ? 'rules.yes' : 'rules.no')],
          [of('dailyTarget'), formatPaise(dailyTarget)],
          ...Object.entries(numbers).map(([name, value]): [string, string] => [
            of(name),
            String(value),
          ]),
        ]
      },
    ),
  ]
}
