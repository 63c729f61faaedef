/** Assigns tasks to telemarketers: the chosen ones, or a number from the pool, evenly. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { distribute } from '#shared/telemarketing/distribute.ts'
import { ASSIGN_MOST, assignTasks, listTakers } from '#shared/telemarketing/person-api.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'

export function AssignForm({
  segment,
  taskIds,
  onDone,
  onClose,
}: {
  segment: Segment
  /** Null = of the pool. */
  taskIds: readonly string[] | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const { data } = useQuery(queryOf(listTakers, { segment }))
  const send = useSend(assignTasks)
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [count, setCount] = useState(20)
  const people = data?.people ?? []
  const ids = chosen ?? new Set(people.filter(({ skip }) => skip === null).map((p) => p.userId))
  const wanted = taskIds === null ? Math.min(count || 0, data?.waiting ?? 0) : taskIds.length
  // the same arithmetic as on the server, so that the numbers are seen before
  const { turns } = distribute(
    wanted,
    people
      .filter(({ userId }) => ids.has(userId))
      .map(({ skip, ...person }) => ({
        ...person,
        takesTasks: skip !== 'closed',
        isEnabled: skip !== 'disabled',
        isOfSegment: skip !== 'segment',
      })),
  )
  async function give(): Promise<void> {
    const answer = await send.mutateAsync({
      segment,
      assigneeIds: [...ids],
      ...(taskIds === null ? { count: wanted } : { taskIds: [...taskIds] }),
    })
    const { assigned, left, changed, barred, skipped } = answer
    const names = skipped.map(({ userName, why }) => `${userName}: ${t(`skip.${why}`)}`).join('; ')
    const isWhole = left + changed + barred === 0 && skipped.length === 0
    void showMessage({
      intent: isWhole ? 'success' : 'warning',
      message: isWhole
        ? t('assign.done', { count: assigned })
        : t('assign.doneRest', { assigned, left, changed, barred, skipped: names || '—' }),
      key: 'assign',
    })
    onDone()
  }
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t(taskIds === null ? 'assign.pool' : 'assign.chosen')}
      confirmText={t('assign.give')}
      count={turns.length}
      hasFocus={taskIds === null}
      onConfirm={give}
      onClose={onClose}
    >
      {taskIds === null && (
        <div className="confirm-field">
          <label htmlFor="assign-count">{t('assign.count', { waiting: data?.waiting ?? 0 })}</label>
          <input
            id="assign-count"
            className="bp6-input tabular"
            type="number"
            autoFocus
            min={1}
            max={ASSIGN_MOST}
            value={Number.isNaN(count) ? '' : count}
            onChange={(event) => setCount(event.target.valueAsNumber)}
          />
        </div>
      )}
      <fieldset className="assign-people">
        <legend>{t('assign.people')}</legend>
        {people.map(({ userId, userName, open, capacity, skip }) => {
          const gets = turns.filter((id) => id === userId).length
          return (
            <label key={userId} className="check">
              <input
                type="checkbox"
                checked={ids.has(userId)}
                onChange={(event) => {
                  const next = new Set(ids)
                  if (event.target.checked) next.add(userId)
                  else next.delete(userId)
                  setChosen(next)
                }}
              />
              <span>{userName}</span>
              <span className="assign-room tabular">
                {open} / {capacity}
                {gets > 0 && <strong> +{gets}</strong>}
              </span>
              {skip !== null && <span className="assign-skip">{t(`skip.${skip}`)}</span>}
            </label>
          )
        })}
        {data && people.length === 0 && <p>{t('assign.nobody')}</p>}
      </fieldset>
    </ConfirmAction>
  )
}
