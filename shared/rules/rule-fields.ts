/** What the condition of a rule may ask about an application. */
import type { Catalogue, ConditionField } from '#shared/conditions/catalogue.ts'

const unit = (name: string) => `rules:unit.${name}`
const count = { type: 'number' } as const

const TYPES = {
  age: { type: 'number', unit: unit('years') },
  monthlyIncome: { type: 'money' },
  incomeShare: { type: 'number', unit: unit('percent'), mayBeEmpty: true },
  amount: { type: 'money' },
  productMinimum: { type: 'money' },
  productMaximum: { type: 'money' },
  limit: { type: 'money' },
  amountAboveLimit: { type: 'money' },
  customerClass: {
    type: 'choice',
    options: ['new', 'old'].map((value) => ({ value, text: `rules:customerClass.${value}` })),
  },
  orderNo: count,
  daysSinceRefusal: { type: 'number', unit: unit('days'), mayBeEmpty: true },
  worstOverdueDays: { type: 'number', unit: unit('days') },
  writtenOff: count,
  identityElsewhere: count,
  accountElsewhere: count,
  blacklistedContacts: count,
  panNameSame: { type: 'yesNo' },
  cardBound: { type: 'yesNo' },
  nameSimilarity: { type: 'number', unit: unit('percent'), mayBeEmpty: true },
  faceScore: { type: 'number', unit: unit('percent'), mayBeEmpty: true },
  panValid: { type: 'yesNo', mayBeEmpty: true },
  panNameMatch: { type: 'number', unit: unit('percent'), mayBeEmpty: true },
  bureauScore: { type: 'number', mayBeEmpty: true },
  bureauOpenLoans: { type: 'number', mayBeEmpty: true },
  bureauOverdue: { type: 'money', mayBeEmpty: true },
} as const satisfies Record<string, Omit<ConditionField, 'name' | 'text' | 'meaning'>>

export type RuleFieldName = keyof typeof TYPES

export const RULE_CATALOGUE: Catalogue = Object.entries(TYPES).map(([name, type]) => ({
  name,
  text: `rules:field.${name}.text`,
  meaning: `rules:field.${name}.means`,
  ...type,
}))
