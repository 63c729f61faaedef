/** State of a payment, what needs attention, and whether a request is open. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { RecordRow } from '../payment-types.ts'
import { codeWord, flagTone, payState, payTone } from '../payment-words.ts'

/** @param why shows the reason of the state, where no column beside it does */
export function RecordTags({ record, why = '' }: { record: RecordRow; why?: string }): ReactNode {
  const t = useText('repayments')
  const state = payState(record)
  return (
    <>
      <StatusTag tone={payTone(state)} {...(why === '' ? {} : { title: why })}>
        {codeWord('payState', state, t)}
      </StatusTag>{' '}
      {record.flag !== null && (
        <StatusTag tone={flagTone(record.flag)}>{codeWord('flag', record.flag, t)}</StatusTag>
      )}{' '}
      {record.conflictTime !== null && <StatusTag tone="bad">{t('keep.conflict')}</StatusTag>}{' '}
      {record.approval !== null && (
        <StatusTag tone="warn" title={record.approval.requestBy}>
          {t('ui:approval.waits')}
        </StatusTag>
      )}
    </>
  )
}
