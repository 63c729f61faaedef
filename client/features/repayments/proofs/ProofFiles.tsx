/** The files of a proof: pictures are shown under their mark, a PDF is saved. Each opening is logged, so a file is fetched when it is asked for. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { downloadFile } from '#client/session/file.ts'
import { usePicture } from '#client/session/use-picture.ts'
import { failureText } from '#client/ui/failure.ts'
import { Segmented } from '#client/ui/Segmented.tsx'
import { proofFile } from '#shared/repayments/proofs-api.ts'
import type { ProofRow } from '../payment-types.ts'
import { useSay } from '../use-say.ts'

export function ProofFiles({ proof: { proofId, fileIds, fileKinds } }: { proof: Pick<ProofRow, 'proofId' | 'fileIds' | 'fileKinds'> }): ReactNode {
  const t = useSay()
  const [at, setAt] = useState(0)
  const [isLarge, setLarge] = useState(false)
  const fileId = fileIds[at] ?? ''
  const isPdf = fileKinds[at] === 'pdf'
  const picture = usePicture(proofFile, fileId === '' || isPdf ? null : { proofId, fileId })
  const name = t('proof.fileOf', { n: at + 1, of: fileIds.length })
  return (
    <figure className="proof-files">
      {fileIds.length > 1 && <Segmented label={t('proof.files')} value={String(at)} segments={fileIds.map((_, i) => ({ value: String(i), label: String(i + 1) }))} onChange={(value) => setAt(Number(value))} />}
      <div className="proof-sheet" data-large={isLarge || undefined} role="region" aria-label={name} tabIndex={0}>
        {isPdf ? <SavePdf key={fileId} proofId={proofId} fileId={fileId} /> : picture.url ? <img src={picture.url} alt={name} /> : picture.error ? (
          <div role="alert">
            <p>{failureText(picture.error)}</p>
            <Button icon="refresh" text={t('proof.retry')} onClick={picture.retry} />
          </div>
        ) : <span className="bp6-skeleton money-blank" role="status" aria-label={t('ui:grid.loading')} />}
      </div>
      <figcaption>
        <span>{t('proof.logged')}</span>
        {picture.url && !isPdf && <Button variant="minimal" size="small" icon={isLarge ? 'zoom-out' : 'zoom-in'} text={t(isLarge ? 'proof.smaller' : 'proof.larger')} onClick={() => setLarge((large) => !large)} />}
      </figcaption>
    </figure>
  )
}

function SavePdf({ proofId, fileId }: { proofId: string; fileId: string }): ReactNode {
  const t = useSay()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    await downloadFile(proofFile, { proofId, fileId }).catch(setFailure)
    setBusy(false)
  }
  return (
    <div className="proof-pdf">
      <p>{t('proof.pdf')}</p>
      <Button icon="download" text={t('proof.save')} loading={isBusy} onClick={() => void save()} />
      {failure !== null && <p role="alert" className="money-note is-wrong">{failureText(failure)}</p>}
    </div>
  )
}
