import Type from 'typebox'
import { endpoint, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { LEVELLED_ROLES } from '#shared/repayments/reduction-sets.ts'
import { ALLOCATION_MODES } from './collection-sets.ts'

/**
 * The collection rules: hours and number of contacts, promises, allocation, each stage's own, what
 * each role may waive.
 */
const strict = { additionalProperties: false }
/** `HH:MM`, IST. */
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

export const StageRules = Type.Object(
  {
    stageId: Type.String({ pattern: '^[A-Z][A-Z0-9]{0,3}$' }),
    mode: OneOf(ALLOCATION_MODES),
    keepCollector: Type.Boolean(),
    /** Working days a case may be without a contact. */
    recallAfterDays: count(0, 30),
    /** Open cases a collector may have. */
    capacity: count(1, 500),
    ptpMaxDays: count(0, 30),
    firstContactHours: count(1, 240),
    /** Paise to recover on a day; 0 = none set. */
    dailyTarget: count(0, 10_000_000_000_000),
  },
  strict,
)

/** Roles whose cap can be set; administrators have the director's. */
export const CAPPED_ROLES = LEVELLED_ROLES.filter((mark) => mark !== 'administrator')
/** Per cent of the open fees. */
export const RoleCap = Type.Object({ role: Text(1, 40), percent: count(0, 100) }, strict)

const rules = {
  callFrom: clock,
  callTo: clock,
  maxContactsPerDay: count(1, 10),
  maxContactsPerWeek: count(1, 70),
  contactGapMinutes: count(0, 1_440),
  ptpMaxDays: count(1, 30),
  ptpMaxBroken: count(0, 10),
  stageRunTime: clock,
  /** Empty = cases are assigned by hand only. */
  allocationTimes: Type.Array(clock, { maxItems: 12, uniqueItems: true }),
  /** 0 = no top-ups. */
  topUpMinutes: count(0, 480),
  topUpUntil: clock,
  perStage: Type.Array(StageRules, { minItems: 1, maxItems: 50 }),
  caps: Type.Array(RoleCap, { minItems: CAPPED_ROLES.length, maxItems: CAPPED_ROLES.length }),
}

export const CollectionRules = Type.Object({ ...rules, version: Version() })

export const collectionRules = endpoint({
  method: 'GET',
  path: '/collection/config/get',
  access: ['collect_config:view'],
  menu: 'collect_config',
  input: Type.Object({}),
  data: CollectionRules,
  summary: 'The collection rules',
})

export const lastRulesSave = endpoint({
  method: 'GET',
  path: '/collection/config/saved',
  access: ['collect_config:view'],
  menu: 'collect_config',
  input: Type.Object({}),
  /** Null as long as nobody saved the sheet. */
  data: Nullable(Type.Object({ by: Type.String(), at: Type.String() })),
  summary: 'Who saved the collection rules last, and when',
})

export const saveCollectionRules = endpoint({
  method: 'POST',
  path: '/collection/config/save',
  access: ['collect_config:edit'],
  menu: 'collect_config',
  input: Type.Object({ ...rules, version: Version() }, strict),
  data: CollectionRules,
  audit: 'edit',
  idempotency: 'required',
  summary:
    'Saves the rules of collection as a whole; they hold from the next contact, promise and run on',
})
