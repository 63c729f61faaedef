/** The states of a rule. Its versions have none of their own: one of them is in force, or none. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { RuleStatus } from './rule-sets.ts'

export type RuleState = RuleStatus | 'deleted'

export type RuleEvent =
  /** A version comes into force; of an enabled rule it takes the place of the one before. */
  | { type: 'ENABLE'; casesPass: boolean; isInForce: boolean }
  | { type: 'DISABLE' }
  | { type: 'DELETE' }

type Enable = Omit<Extract<RuleEvent, { type: 'ENABLE' }>, 'type'>

const canEnable = { type: 'canEnable', params: ({ event }: { event: Enable }) => event } as const

const machine = setup({
  types: { events: {} as RuleEvent, tags: {} as 'closed' },
  guards: { canEnable: (_, { casesPass, isInForce }: Enable) => casesPass && !isInForce },
}).createMachine({
  id: 'rule',
  initial: 'draft',
  states: {
    draft: {
      on: { ENABLE: { target: 'enabled', guard: canEnable }, DELETE: { target: 'deleted' } },
    },
    enabled: {
      on: { ENABLE: { target: 'enabled', guard: canEnable }, DISABLE: { target: 'disabled' } },
    },
    disabled: {
      tags: ['closed'],
      on: { ENABLE: { target: 'enabled', guard: canEnable } },
    },
    deleted: { tags: ['closed'] },
  },
})

export const ruleLifecycle: Lifecycle<RuleState, RuleEvent> = lifecycle<RuleState, typeof machine>(
  'rule',
  machine,
)
