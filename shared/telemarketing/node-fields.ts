/** What the condition of a marketing node may ask about a customer of a segment. */
import type { Catalogue, ConditionField, FieldOption } from '#shared/conditions/catalogue.ts'
import { FOLLOW_RESULTS } from './tele-sets.ts'

export const NODE_FIELD_NAMES = [
  'age',
  'sex',
  'monthlyIncome',
  'city',
  'app',
  'channel',
  'registeredOn',
  'entryCount',
  'finalLimit',
  'creditDays',
  'settlementCount',
  'maxOverdueDays',
  'lastAmount',
  'followCount',
  'lastResult',
  'daysSinceFollow',
] as const
export type NodeFieldName = (typeof NODE_FIELD_NAMES)[number]

interface NamedThing {
  id: string
  name: string
}

export const SEXES = ['male', 'female', 'other'] as const
const unit = (name: string) => `telemarketing:unit.${name}`

const TYPES: Record<NodeFieldName, Omit<ConditionField, 'name' | 'text' | 'meaning'>> = {
  age: { type: 'number', unit: unit('years'), mayBeEmpty: true },
  sex: {
    type: 'choice',
    options: SEXES.map((value) => ({ value, text: `telemarketing:sex.${value}` })),
    mayBeEmpty: true,
  },
  monthlyIncome: { type: 'money', mayBeEmpty: true },
  city: { type: 'text', mayBeEmpty: true },
  app: { type: 'choice' },
  channel: { type: 'choice' },
  registeredOn: { type: 'day' },
  entryCount: { type: 'number', unit: unit('times') },
  finalLimit: { type: 'money', mayBeEmpty: true },
  creditDays: { type: 'number', unit: unit('days'), mayBeEmpty: true },
  settlementCount: { type: 'number', unit: unit('times') },
  maxOverdueDays: { type: 'number', unit: unit('days') },
  lastAmount: { type: 'money', mayBeEmpty: true },
  followCount: { type: 'number', unit: unit('times') },
  lastResult: {
    type: 'choice',
    options: FOLLOW_RESULTS.map((code) => ({
      value: String(code),
      text: `telemarketing:result.${code}`,
    })),
    mayBeEmpty: true,
  },
  daysSinceFollow: { type: 'number', unit: unit('days'), mayBeEmpty: true },
}

/** The catalogue with the apps and channels there are. */
export function nodeCatalogue(
  apps: readonly NamedThing[],
  channels: readonly NamedThing[],
): Catalogue {
  const own: Partial<Record<NodeFieldName, FieldOption[]>> = {
    app: optionsOf(apps),
    channel: optionsOf(channels),
  }
  return NODE_FIELD_NAMES.map((name) => {
    const options = own[name]
    return {
      name,
      text: `telemarketing:field.${name}.text`,
      meaning: `telemarketing:field.${name}.means`,
      ...TYPES[name],
      ...(options && { options }),
    }
  })
}

function optionsOf(things: readonly NamedThing[]): FieldOption[] {
  return things.map(({ id, name }) => ({ value: id, name }))
}
