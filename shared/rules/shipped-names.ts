/**
 * English names of the rules, tables, groups and actions that come with the product. The book stores them;
 * a screen shows the translated name as long as nobody has renamed the row.
 */
export const SHIPPED_RULES: Readonly<Record<string, string>> = {
  ADM01: 'Age outside 21 to 58',
  ADM02: 'Refused within the last 30 days',
  ADM03: 'Income below 12,000 rupees a month',
  CR01: 'Earlier loan overdue for more than 30 days',
  CR02: 'Earlier loan written off',
  CR03: 'Earlier loan overdue for 8 to 30 days',
  AF01: 'PAN or Aadhaar known from another customer',
  AF02: 'Bank account known from another customer',
  AF03: 'Declared contact is a blacklisted customer',
  KYC01: 'Name on PAN differs from the application',
  KYC02: 'Live face not compared, or less than 80 % alike',
  CARD01: 'Bank card not bound',
  CARD02: 'Name on bank account less than 80 % alike',
  INC01: 'Instalment above 45 % of income',
  INC02: 'Instalment above 80 % of income',
  LIM01: 'First loan above 15,000 rupees',
  LIM02: 'Amount above the limit of the customer',
}

export const SHIPPED_TABLES: Readonly<Record<string, string>> = {
  LIMIT: 'Limit by income and loans',
}

export const SHIPPED_GROUPS: Readonly<Record<string, string>> = {
  ADMISSION: 'Conditions of admission',
  CREDIT: 'Credit history',
  FRAUD: 'Identity and fraud',
  LIMIT: 'Income and limit',
}

export const SHIPPED_ACTIONS: Readonly<Record<string, { name: string; description: string }>> = {
  REJECT: {
    name: 'Refuse',
    description: 'The application is refused with the code of the rule.',
  },
  MANUAL: { name: 'Send to a reviewer', description: 'A reviewer decides.' },
  MARK: {
    name: 'Mark only',
    description: 'The hit stands in the report and decides nothing.',
  },
  OUTPUT: {
    name: 'Give an output',
    description: 'The output of the rule stands in the report.',
  },
}
