import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import {
  type BoardFigures,
  readBoard,
  saveThresholds,
  type Thresholds,
} from '#shared/wall/wall-api.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { MoneyField, NumberField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'

const FULL_PERCENT = 100
/** The form takes per cent, the wire has basis points. */
const LIMITS = Type.Object(
  {
    ...saveThresholds.input.properties,
    ptpKept: Nullable(Type.Integer({ minimum: 0, maximum: FULL_PERCENT })),
  },
  { additionalProperties: false },
)

interface LimitsFormProps {
  /** Absent: the caller's own unit. */
  agencyId: string | undefined
  onClose: () => void
}

/** Limits of the unit whose board is shown; a stage has no limits of its own. */
export function LimitsForm({ agencyId, onClose }: LimitsFormProps): ReactNode {
  const unit = useQuery({
    ...queryOf(readBoard, agencyId === undefined ? {} : { agencyId }, { quiet: true }),
    staleTime: 0,
  })
  return unit.data ? <Form figures={unit.data} agencyId={agencyId} onClose={onClose} /> : null
}

function Form({
  figures,
  agencyId,
  onClose,
}: LimitsFormProps & { figures: BoardFigures }): ReactNode {
  const t = useText('wall')
  const { reason: offline } = useConnection()
  const send = useSend(saveThresholds, { quiet: true })
  const { thresholds } = figures
  const form = useSchemaForm<Thresholds>({
    schema: LIMITS,
    values: {
      ...thresholds,
      ptpKept: thresholds.ptpKept === null ? null : Math.floor(thresholds.ptpKept / FULL_PERCENT),
    },
    onSubmit: ({ target, ptpKept, unallocatedMinutes, reviewMinutes, disburseFailed }) =>
      send.mutateAsync({
        target: target ?? null,
        ptpKept: ptpKept === null || ptpKept === undefined ? null : ptpKept * FULL_PERCENT,
        unallocatedMinutes: unallocatedMinutes ?? null,
        reviewMinutes: reviewMinutes ?? null,
        disburseFailed: disburseFailed ?? null,
        ...(agencyId === undefined ? {} : { agencyId }),
      }),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('form.limitsSaved'), key: 'board-limits' })
      onClose()
    },
  })
  return (
    <FormDrawer
      isOpen
      title={
        figures.scope.name === null
          ? t('desk.limits')
          : `${t('desk.limits')} · ${figures.scope.name}`
      }
      form={form}
      submitText={t('form.save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <p className="wall-hint">{t('form.limitsHelp')}</p>
      <MoneyField name="target" label={t('form.target')} />
      <NumberField name="ptpKept" label={t('form.ptpKept')} min={0} max={FULL_PERCENT} />
      <NumberField name="unallocatedMinutes" label={t('form.unallocatedMinutes')} min={1} />
      {figures.queues ? (
        <NumberField name="reviewMinutes" label={t('form.reviewMinutes')} min={1} />
      ) : null}
      {figures.queues ? (
        <NumberField name="disburseFailed" label={t('form.disburseFailed')} min={1} />
      ) : null}
    </FormDrawer>
  )
}
