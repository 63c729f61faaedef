/** What became of a payment, what is to look at, and whether somebody asked for something. */
import type { ReactNode } from 'react'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import type { RecordRow } from '../payment-types.ts'
import { codeWord, flagTone, payState, payTone } from '../payment-words.ts'
import { useSay } from '../use-say.ts'

/** @param why of its state, where it is not written beside it */
export function RecordTags({ record, why = '' }: { record: RecordRow; why?: string }): ReactNode {
  const t = useSay()
  const state = payState(record)
  return (
    <>
      <StatusTag tone={payTone(state)} {...(why === '' ? {} : { title: why })}>
        {codeWord('payState', state, t)}
      </StatusTag>{' '}
      {record.flag !== null && (
        <StatusTag tone={flagTone(record.flag)}>{codeWord('flag', record.flag, t)}</StatusTag>
      )}{' '}
      {record.approval !== null && (
        <StatusTag tone="warn" title={record.approval.requestBy}>
          {t('ui:approval.waits')}
        </StatusTag>
      )}
    </>
  )
}
