/** The operate log, the changes of settings, the errors of browsers, and the proof of the ledger. Read only. */
import './operate-log.css'
import type { ReactNode } from 'react'
import { LedgerBooks } from '#client/features/repayments/public.tsx'
import type { ListBodyProps } from '#client/screen/list/ListBody.tsx'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { ChangeList } from './ChangeList.tsx'
import { errorList } from './error-list.ts'
import { LogList } from './LogList.tsx'

export const Screen = tabbedScreen({
  texts: ['access'],
  menu: 'operate_record',
  tabs: { records: LogList, changes: ChangeList, errors: errorList, books: Books },
  title: 'operateLog.tab',
})

function Books({ tabs }: ListBodyProps): ReactNode {
  return (
    <>
      <div className="operate-log-tabs">{tabs}</div>
      <LedgerBooks />
    </>
  )
}
