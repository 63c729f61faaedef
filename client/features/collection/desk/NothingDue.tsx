/** In place of the open case when none is due: a message, and the one that comes next. */
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { serverNow } from '#client/session/server-clock.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { CaseRow } from './case-types.ts'
import { type NextFound, waits } from './find-next.ts'
import { dueAfter, nextPlanned } from './next-due.ts'

interface NothingDueProps {
  /** Read each second: time makes a case due. */
  rows: () => readonly CaseRow[]
  /** Due cases that wait for the time between two contacts are counted; they are not among the rows. */
  found: NextFound
  onShow: (caseId: string) => void
  onClose: () => void
}

export function NothingDue({ rows, found, onShow, onClose }: NothingDueProps): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  useSecond()
  const now = serverNow()
  const here = rows()
  const due = dueAfter(here, null, now)[0] ?? null
  const waiting = [...found.waiting].filter((caseId) => waits(found, caseId)).length
  const next = due ?? nextPlanned(here, now)
  const time = next?.nextFollowTime ?? null
  useShortcuts('screen', [
    {
      id: 'case-close',
      code: 'Escape',
      labelKey: 'collection:desk.key.close',
      run: onClose,
    },
  ])
  const hint = (row: CaseRow) =>
    time === null
      ? row.userName
      : t('desk.nothingDue.next', {
          name: row.userName,
          time: formatIst(time, 'dayTime', language),
        })
  return (
    <section className="case-panel" aria-label={t('desk.nothingDue.title')} role="status">
      <Empty
        icon="tick-circle"
        reason={due === null ? t('desk.nothingDue.title') : t('desk.nothingDue.again')}
        hint={next !== null ? hint(next) : waiting === 0 ? t('desk.nothingDue.none') : undefined}
      >
        {waiting > 0 && (
          <p className="case-note">
            {found.until === null
              ? t('desk.nothingDue.closed', { count: waiting })
              : t('desk.nothingDue.waiting', {
                  count: waiting,
                  time: formatIst(found.until, 'dayTime', language),
                })}
          </p>
        )}
        {next !== null && (
          <ActionButton
            intent="primary"
            icon="play"
            text={t('desk.nothingDue.open')}
            keys="N"
            // the focus was in the form of the case that was saved
            autoFocus
            onClick={() => onShow(next.caseId)}
          />
        )}
        <ActionButton text={t('desk.close')} keys="Esc" onClick={onClose} />
      </Empty>
    </section>
  )
}
