/**
 * Forms that act on cases: stop, end, recall, assign; reduction, receipt and payment link of their
 * orders.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallCases } from '#client/features/ai-calls/public.tsx'
import { checkFiles, FilesField, useFormFiles } from '#client/features/files/public.tsx'
import { LinkForm, ProofForm, ReduceForm } from '#client/features/repayments/public.tsx'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { type Bulk, useBulk } from '#client/screen/use-bulk.tsx'
import { serverNow } from '#client/session/server-clock.ts'
import { AreaField, DayField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { allocateCases, caseDetail, endCase, recallCases } from '#shared/collection/cases-api.ts'
import { HAND_ENDS, STOP_REASONS, SYSTEM_STOPS } from '#shared/collection/collection-sets.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { addStop } from '#shared/collection/stops-api.ts'
import type { DataOf, FileRule, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import type { CaseRow } from './case-types.ts'

export type OpenForm =
  | { form: 'stop'; row: CaseRow }
  | { form: 'reduce'; row: CaseRow }
  | { form: 'proof'; row: CaseRow }
  | { form: 'link'; row: CaseRow }
  | { form: 'end'; row: CaseRow }
  | { form: 'recall'; rows: readonly CaseRow[] }
  | { form: 'allocate'; rows: readonly CaseRow[] }
  | { form: 'aiCalls'; rows: readonly CaseRow[] }

export interface CaseFormsProps {
  open: OpenForm | null
  onDone: () => void
  onClose: () => void
}

export function CaseForms(props: CaseFormsProps): ReactNode {
  const { run, drawer } = useBulk({ key: 'bulk', onDone: props.onDone })
  return (
    <>
      <OneForm {...props} run={run} />
      {drawer}
    </>
  )
}

function OneForm({ open, run, ...rest }: CaseFormsProps & Pick<Bulk, 'run'>): ReactNode {
  if (open === null) return null
  if (open.form === 'stop')
    return <StopForm userId={open.row.userId} userName={open.row.userName} {...rest} />
  if (open.form === 'end') return <EndForm row={open.row} {...rest} />
  if (open.form === 'reduce') return <ReduceForm orderId={open.row.orderId} {...rest} />
  if (open.form === 'proof') return <ProofForm orderId={open.row.orderId} {...rest} />
  if (open.form === 'link') return <LinkOfCase row={open.row} {...rest} />
  if (open.form === 'recall')
    return <RecallForm rows={open.rows} run={run} onClose={rest.onClose} />
  if (open.form === 'aiCalls')
    return (
      <CallCases caseIds={open.rows.map(({ caseId }) => caseId)} run={run} onClose={rest.onClose} />
    )
  return <AllocateForm rows={open.rows} run={run} onClose={rest.onClose} />
}

type Props = Omit<CaseFormsProps, 'open'>
type ManyProps = Pick<Bulk, 'run'> & { rows: readonly CaseRow[]; onClose: () => void }

/** For the oldest instalment with an amount due. */
function LinkOfCase({ row, ...rest }: Props & { row: CaseRow }): ReactNode {
  const detail = useQuery(queryOf(caseDetail, { caseId: row.caseId }, { quiet: true }))
  const plan = detail.data?.plans.find((one) => one.outstanding > 0)
  return plan ? <LinkForm planId={plan.planId} due={plan.outstanding} {...rest} /> : null
}

const STOP_FILES = addStop.files as FileRule

/** @param userId null = the form asks for the customer */
export function StopForm({
  userId,
  userName,
  onDone,
  onClose,
}: Props & { userId: string | null; userName?: string }): ReactNode {
  const t = useText('collection')
  const send = useSend(addStop, { quiet: true })
  const today = istDay(serverNow())
  const { form, frame } = useSaveForm<InputOf<typeof addStop> & { files: readonly File[] }>({
    schema: addStop.input,
    omit: userId === null ? [] : ['userId'],
    values: { userId: userId ?? '', reason: '' as never, endTime: '', remark: '', files: [] },
    onSubmit: async (values) => {
      const files = await checkFiles(form.form.getValues('files'), STOP_FILES)
      // the files are sent beside the input
      await send.mutateAsync({ ...values, ...({ files } as object) })
    },
    saved: t('stop.sent'),
    onDone,
    onClose,
  })
  const shown = useFormFiles(form, STOP_FILES, addStop.input)
  return (
    <FormDialog
      {...frame}
      width={560}
      title={t('stop.title')}
      form={shown}
      submitText={t('stop.send')}
      intent="danger"
    >
      {userId === null ? (
        <TextField name="userId" label={t('desk.col.userId')} maxLength={64} />
      ) : (
        <p>
          <strong>{userName}</strong>
        </p>
      )}
      <p className="collection-hint">{t('stop.consequence')}</p>
      <SelectField
        name="reason"
        label={t('stop.reason')}
        options={STOP_REASONS.filter((reason) => !SYSTEM_STOPS.includes(reason)).map((value) => ({
          value,
          label: t(`stopReason.${value}`),
        }))}
      />
      <DayField name="endTime" label={t('stop.endTime')} min={today} max={addDays(today, 180)} />
      <AreaField name="remark" label={t('desk.form.remark')} maxLength={500} />
      <FilesField rule={STOP_FILES} />
    </FormDialog>
  )
}

function EndForm({ row, onDone, onClose }: Props & { row: CaseRow }): ReactNode {
  const t = useText('collection')
  const send = useSend(endCase, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof endCase>>({
    schema: endCase.input,
    omit: ['caseId', 'version'],
    values: { caseId: row.caseId, version: row.version, endReason: '' as never, remark: '' },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('desk.ended'),
    onDone,
    onClose,
  })
  return (
    <FormDialog
      {...frame}
      title={t('desk.endTitle', { caseId: row.caseId })}
      submitText={t('desk.end')}
      intent="danger"
    >
      <p>
        <strong>{row.userName}</strong>
      </p>
      <p className="collection-hint is-warning">{t('desk.endHint')}</p>
      <SelectField
        name="endReason"
        label={t('desk.col.endReason')}
        options={HAND_ENDS.map((value) => ({ value, label: t(`endReason.${value}`) }))}
      />
      <AreaField name="remark" label={t('desk.form.remark')} maxLength={500} />
    </FormDialog>
  )
}

function RecallForm({ rows, run, onClose }: ManyProps): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const send = useSend(recallCases, { quiet: true })
  const form = useSchemaForm<InputOf<typeof recallCases>>({
    schema: recallCases.input,
    omit: ['caseIds'],
    values: { caseIds: rows.map((row) => row.caseId), reason: '' },
    onSubmit: (values) =>
      run(
        values.caseIds,
        (caseIds) => send.mutateAsync({ ...values, caseIds }),
        true,
        (cases) => t('desk.recalled', { cases }),
      ),
    onDone: onClose,
  })
  return (
    <FormDialog
      isOpen
      title={t('desk.recallTitle', { cases: rows.length })}
      form={form}
      submitText={t('desk.recall')}
      submitRefused={offline}
      intent="danger"
      onClose={onClose}
    >
      <p className="collection-hint is-warning">{t('desk.recallHint')}</p>
      <AreaField name="reason" label={t('desk.form.reason')} maxLength={200} />
    </FormDialog>
  )
}

function AllocateForm({ rows, run, onClose }: ManyProps): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const send = useSend(allocateCases, { quiet: true })
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 30_000 })
  const isTransfer = rows.some((row) => row.collectorId !== null)
  const stages = new Set(rows.map((row) => row.stageId))
  const form = useSchemaForm<InputOf<typeof allocateCases>>({
    schema: allocateCases.input,
    omit: ['caseIds'],
    values: {
      caseIds: rows.map((row) => row.caseId),
      collectorId: '',
      agencyId: '',
      departmentId: '',
      reason: '',
    },
    alsoRequired: ({ agencyId, departmentId }) => [
      ...(agencyId || departmentId ? [] : (['collectorId'] as const)),
      ...(isTransfer ? (['reason'] as const) : []),
    ],
    onSubmit: (values) =>
      run(
        values.caseIds,
        (caseIds) => send.mutateAsync({ ...values, caseIds }),
        true,
        (cases) => t('desk.given', { cases, name: receiverOf(values, tree.data) }),
      ),
    onDone: onClose,
  })
  const agencies = new Map(
    (tree.data?.agencies ?? [])
      .filter((agency) => agency.status === 'enabled')
      .map(({ id, name }) => [id, name]),
  )
  const departments = (tree.data?.departments ?? []).flatMap(({ id, name, agencyId }) =>
    agencies.has(agencyId)
      ? [{ value: id, label: `${agencies.get(agencyId) ?? ''} · ${name}` }]
      : [],
  )
  const people = (tree.data?.collectors ?? [])
    .filter((one) => one.enabled && [...stages].every((stage) => one.stageIds.includes(stage)))
    .toSorted((a, b) => Number(b.onDuty) - Number(a.onDuty) || a.openCases - b.openCases)
  return (
    <FormDialog
      isOpen
      title={t('desk.allocateTitle', { cases: rows.length })}
      form={form}
      submitText={t('desk.allocate')}
      submitRefused={offline}
      onClose={onClose}
    >
      <SelectField
        name="collectorId"
        label={t('desk.col.collectorName')}
        options={people.map(({ userId, userName, account, onDuty, openCases }) => ({
          value: userId,
          label: t(onDuty ? 'desk.person' : 'desk.personAway', {
            name: userName,
            account,
            cases: openCases,
          }),
        }))}
      />
      {!isTransfer && (
        <SelectField
          name="agencyId"
          label={t('desk.orAgency')}
          options={[...agencies].map(([value, label]) => ({ value, label }))}
        />
      )}
      {!isTransfer && (
        <SelectField
          name="departmentId"
          label={t('desk.orDepartment')}
          help={t('desk.orDepartmentHelp')}
          options={departments}
        />
      )}
      {isTransfer && <AreaField name="reason" label={t('desk.form.reason')} maxLength={200} />}
    </FormDialog>
  )
}

/** The collector, else the department, else the agency. */
function receiverOf(
  { collectorId, departmentId, agencyId }: InputOf<typeof allocateCases>,
  tree: DataOf<typeof collectionTree> | undefined,
): string {
  return (
    tree?.collectors.find(({ userId }) => userId === collectorId)?.userName ??
    tree?.departments.find(({ id }) => id === departmentId)?.name ??
    tree?.agencies.find(({ id }) => id === agencyId)?.name ??
    ''
  )
}
