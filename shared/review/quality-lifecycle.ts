/**
 * Lifecycle of the quality check of a decided review. It never reverses the order's decision. A
 * fail stays unless the reviewer's single appeal is upheld; a dismissed appeal is not a transition.
 */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import { isQualityFailCode, isQualityPassCode, needsRemark } from './reject-reasons.ts'

export const QUALITY_STATES = ['notChecked', 'checked', 'pass', 'fail'] as const
export type QualityState = (typeof QUALITY_STATES)[number]

/** State of the single appeal against a fail; null = none. */
export const APPEAL_STATES = ['open', 'upheld', 'dismissed'] as const
export type AppealState = (typeof APPEAL_STATES)[number]

export type QualityEvent =
  | { type: 'SAMPLE_OPEN'; inspectorId: string; reviewerId: string }
  | { type: 'QC_PASS'; qualityCode: string }
  | { type: 'QC_FAIL'; qualityCode: string; remark: string }
  /** Hours from the fail to the appeal; `appealHours` = parameter quality.appealHours. */
  | {
      type: 'APPEAL_UPHELD'
      appealState: AppealState | null
      hoursToAppeal: number
      appealHours: number
      deciderId: string
      inspectorId: string
    }

export type QualityEventType = QualityEvent['type']

type Facts<Type extends QualityEventType> = Omit<Extract<QualityEvent, { type: Type }>, 'type'>

const machine = setup({
  types: { events: {} as QualityEvent, tags: {} as 'closed' },
  guards: {
    isOtherPerson: (_, e: Facts<'SAMPLE_OPEN'>) => e.inspectorId !== e.reviewerId,
    hasPassReason: (_, e: Facts<'QC_PASS'>) => isQualityPassCode(e.qualityCode),
    hasFailReason: (_, e: Facts<'QC_FAIL'>) =>
      isQualityFailCode(e.qualityCode) && (!needsRemark(e.qualityCode) || e.remark.trim() !== ''),
    canUphold: (_, e: Facts<'APPEAL_UPHELD'>) =>
      e.appealState === 'open' && e.hoursToAppeal <= e.appealHours && e.deciderId !== e.inspectorId,
  },
}).createMachine({
  id: 'quality',
  initial: 'notChecked',
  states: {
    notChecked: {
      on: {
        SAMPLE_OPEN: {
          target: 'checked',
          guard: { type: 'isOtherPerson', params: ({ event }) => event },
        },
      },
    },
    checked: {
      on: {
        QC_PASS: { target: 'pass', guard: { type: 'hasPassReason', params: ({ event }) => event } },
        QC_FAIL: { target: 'fail', guard: { type: 'hasFailReason', params: ({ event }) => event } },
      },
    },
    fail: {
      on: {
        APPEAL_UPHELD: {
          target: 'pass',
          guard: { type: 'canUphold', params: ({ event }) => event },
        },
      },
    },
    pass: { tags: ['closed'] },
  },
})

export const qualityLifecycle: Lifecycle<QualityState, QualityEvent> = lifecycle<
  QualityState,
  typeof machine
>('quality', machine)
