/** Another cycle of a task, with the three runs that it gives. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { editTask, nextRunsOf } from '#shared/scheduling/scheduling-api.ts'
import type { Task } from './task-types.ts'
import { cycleText, taskLabel } from './task-words.ts'

interface Values {
  cycle: string
}
const OMIT = ['taskId', 'version'] as const

export function CycleForm({
  task,
  onDone,
  onClose,
}: {
  task: Task
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('scheduling')
  const { reason: offline } = useConnection()
  const save = useSend(editTask, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: editTask.input,
    omit: OMIT,
    values: { cycle: task.cycle },
    onSubmit: async ({ cycle }) => {
      await save.mutateAsync({ taskId: task.taskId, version: task.version, cycle: cycle.trim() })
    },
    onDone: () => {
      void showMessage({ intent: 'success', message: t('done.edit'), key: 'task' })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('ask.edit', { name: taskLabel(task.class) })}
      form={form}
      submitRefused={offline}
      onClose={onClose}
    >
      <TextField name="cycle" label={t('col.cycle')} maxLength={60} help={t('cycleMeans')} />
      <NextRuns />
    </FormDialog>
  )
}

function NextRuns(): ReactNode {
  const t = useText('scheduling')
  const { control } = useFormContext<Values>()
  const cycle = useDeferredValue(useWatch({ control, name: 'cycle' }).trim())
  const { data, error } = useQuery(queryOf(nextRunsOf, { cycle }, { quiet: true }))
  return (
    <div role="status">
      {error ? (
        <p>{messageOf(error)}</p>
      ) : (
        <>
          <p>
            {cycleText(cycle, t)} · {t('col.nextRuns')}
          </p>
          <ul className="tabular">
            {data?.nextRuns.map((at) => (
              <li key={at}>
                <IstTime value={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
