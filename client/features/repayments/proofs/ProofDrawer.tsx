/** One proof: what was submitted, its files, and the decision. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './proofs.css'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSession } from '#client/session/session-store.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { ProofRow } from '../payment-types.ts'
import { codeWord, proofTone, recordPath } from '../payment-words.ts'
import { ProofFiles } from './ProofFiles.tsx'

export function ProofDrawer({
  proof,
  actions,
  onClose,
}: {
  proof: ProofRow
  actions?: ReactNode
  onClose: () => void
}): ReactNode {
  const t = useText('repayments')
  return (
    <SideDrawer
      isOpen
      width={560}
      title={t('proof.title', { proofId: proof.proofId })}
      onClose={onClose}
    >
      <div className="proof-look">
        <ProofFacts proof={proof} />
        <ProofFiles proof={proof} />
      </div>
      {actions && <div className="form-buttons">{actions}</div>}
    </SideDrawer>
  )
}

export function ProofFacts({ proof }: { proof: ProofRow }): ReactNode {
  const t = useText('repayments')
  const { index } = useSession()
  const record = (recordId: string) =>
    index.byName.has('repay_record') ? (
      <Link className="money-link" href={recordPath(recordId)}>
        {recordId}
      </Link>
    ) : (
      recordId
    )
  return (
    <>
      <dl className="fact-box">
        <div>
          <dt>{t('col.state')}</dt>
          <dd>
            <StatusTag tone={proofTone(proof.state)}>
              {codeWord('proofState', proof.state, t)}
            </StatusTag>
          </dd>
        </div>
        <div className="is-strong">
          <dt>{t('col.amount')}</dt>
          <dd>
            <Money paise={proof.amount} />
          </dd>
        </div>
        <div>
          <dt>{t('col.utr')}</dt>
          <dd className="tabular">{proof.utr}</dd>
        </div>
        <div>
          <dt>{t('col.payTime')}</dt>
          <dd>
            <IstTime value={proof.payTime} />
          </dd>
        </div>
        <div>
          <dt>{t('col.channel')}</dt>
          <dd>{codeWord('channel', proof.channel, t)}</dd>
        </div>
        <div>
          <dt>{t('col.userName')}</dt>
          <dd>
            {proof.userName} · {proof.orderId}
          </dd>
        </div>
        <div>
          <dt>{t('col.submitName')}</dt>
          <dd>
            {proof.submitter === 'customer'
              ? codeWord('submitter', 'customer', t)
              : proof.submitName}{' '}
            · <IstTime value={proof.createTime} />
          </dd>
        </div>
        {proof.decideBy !== null && (
          <div>
            <dt>{t('col.decideBy')}</dt>
            <dd>
              {proof.decideBy} · <IstTime value={proof.decideTime} />
            </dd>
          </div>
        )}
        {proof.recordId !== null && (
          <div>
            <dt>{t('col.recordId')}</dt>
            <dd>{record(proof.recordId)}</dd>
          </div>
        )}
      </dl>
      {proof.reason !== null && (
        <p className="money-note">
          {t('col.reason')}: {proof.reason}
        </p>
      )}
      {proof.duplicate && (
        <p className="money-note is-wrong" role="alert">
          {proof.duplicateOf ? (
            <>
              {t('form.utrUsed', { orderId: proof.duplicateOf.orderId })}{' '}
              {record(proof.duplicateOf.recordId)}
            </>
          ) : (
            t('proof.used')
          )}
        </p>
      )}
    </>
  )
}
